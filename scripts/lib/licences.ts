/** Licences under which a package may come in, as SPDX names them; those of a choice need one of them, those joined need all. */
const ALLOWED = new Set([
  ...[
    '0BSD',
    'Apache-2.0',
    'BlueOak-1.0.0',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'CC0-1.0',
    'ISC',
    'MIT',
    'MIT-0',
    'Python-2.0',
    'Zlib',
  ],
  // Files or libraries that stay as they are: nothing of ours is changed or linked into them.
  ...['LGPL-3.0-or-later', 'MPL-2.0', 'OFL-1.1', 'CC-BY-4.0', 'Unlicense'],
])

/** The part of package-lock.json that is looked at. */
export interface Lock {
  readonly packages: Readonly<Record<string, { readonly license?: string; readonly link?: boolean }>>
}

/** Packages of the lock file whose licence is not allowed or not said, each with its licence. */
export function findDisallowedLicenses({ packages }: Lock): { readonly name: string; readonly licence: string }[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && link !== true)
    .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ''), licence: license ?? 'none' }))
    .filter(({ licence: license }) => !isAllowed(license))
}

function isAllowed(license: string): boolean {
  const plain = license.replace(/[()]/g, '')
  // Parentheses may say either; what they say is not read.
  if (plain !== license && plain.includes(' OR ') && plain.includes(' AND ')) return false
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((part) => ALLOWED.has(part.trim())))
}
