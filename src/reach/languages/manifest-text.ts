import { parse } from 'smol-toml';

/** The content of a TOML file; an empty one where it is missing or broken. */
export function tomlOrEmpty(text: string | null): unknown {
  try {
    return parse(text ?? '', { maxDepth: 32 });
  } catch {
    return {};
  }
}

/** The content of a JSON file; null where it is missing or broken. */
export function jsonOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}
