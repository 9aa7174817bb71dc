import { fileNameOf, folderOf, inFolder, joinPath } from '../../tree-path.js';

const endings = ['', '.scss', '.sass', '.less', '.css', '.styl', '.pcss', '.postcss'];

/**
 * Whether a style sheet can mean a file beside itself by the name that it loads: Sass reads `_colors.scss` for `colors`, and
 * a browser reads `normalize.css` beside the sheet.
 */
export function mayBeOwnStyle(path: string, name: string, files: { has(path: string): boolean }): boolean {
  if (/^[~@]|node_modules\//.test(name)) return false;
  const place = joinPath(folderOf(path), name);
  if (place === null) return false;
  const folder = inFolder(folderOf(place), '');
  const stem = fileNameOf(place);
  return endings.some((ending) =>
    [`${folder}${stem}`, `${folder}_${stem}`, `${place}/index`, `${place}/_index`].some((each) =>
      files.has(`${each}${ending}`),
    ),
  );
}
