"""PDF: pages to lines, lines to paragraphs, headings and tables."""
