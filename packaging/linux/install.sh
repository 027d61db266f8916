#!/bin/sh
# Puts Chunkscope into the menu and into "Open with" of this user: install.sh [FOLDER]
# FOLDER holds the bundle's executables; without it, the bundle that this script lies in.
# `install.sh --remove` takes everything away again.
set -eu

here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
data=${XDG_DATA_HOME:-$HOME/.local/share}
entry=$data/applications/chunkscope.desktop
types=$data/mime/packages/chunkscope-mime.xml

refresh() {
    # Desktops without these tools look at the files themselves.
    if command -v update-mime-database >/dev/null; then
        update-mime-database "$data/mime" || true
    fi
    if command -v update-desktop-database >/dev/null; then
        update-desktop-database "$data/applications" || true
    fi
}

if [ "${1:-}" = --remove ]; then
    rm -f "$entry" "$types" "$data"/icons/hicolor/*/apps/chunkscope.png \
        "$data"/icons/hicolor/scalable/apps/chunkscope.svg
    refresh
    echo "Chunkscope is no longer in the menu."
    exit 0
fi

program=${1:-$(dirname -- "$(dirname -- "$here")")}/chunkscope-window
if [ ! -x "$program" ]; then
    echo "error: $program is not there; name the folder that holds chunkscope-window" >&2
    exit 1
fi
icons=$here/icons
[ -d "$icons" ] || icons=$here/../../resources/icons

mkdir -p "$data/applications" "$data/mime/packages"
# In Exec a path is quoted, and a backslash, quote, dollar or percent sign in it is escaped.
quoted=$(printf '%s' "$program" | sed -e 's/[\\"$`]/\\\\&/g' -e 's/%/%%/g')
escaped=$(printf '%s' "\"$quoted\"" | sed -e 's/[\\&|]/\\&/g')
sed "s|^Exec=chunkscope-window|Exec=$escaped|" "$here/chunkscope.desktop" >"$entry"
cp "$here/chunkscope-mime.xml" "$types"
for size in 16 24 32 48 64 128 256 512; do
    folder=$data/icons/hicolor/${size}x$size/apps
    mkdir -p "$folder"
    cp "$icons/chunkscope-$size.png" "$folder/chunkscope.png"
done
mkdir -p "$data/icons/hicolor/scalable/apps"
cp "$icons/chunkscope.svg" "$data/icons/hicolor/scalable/apps/chunkscope.svg"
refresh
echo "Chunkscope is in the menu and opens documents by \"Open with\"."
