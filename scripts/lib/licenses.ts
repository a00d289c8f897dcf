/** Allowed licenses as SPDX ids. `OR` needs one allowed license, `AND` needs all. */
const ALLOWED_LICENSES = new Set([
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
  // The licenses below are allowed because the project neither changes files and libraries under these licenses nor
  // links its code into them.
  'LGPL-3.0-or-later',
  'MPL-2.0',
  'OFL-1.1',
  'CC-BY-4.0',
  'Unlicense',
])

export interface PackageLock {
  readonly packages: Readonly<Record<string, { readonly license?: string; readonly link?: boolean }>>
}

/** Returns the packages of the lock file whose license is missing or not allowed. */
export function findDisallowedLicenses({
  packages,
}: PackageLock): { readonly name: string; readonly licence: string }[] {
  return Object.entries(packages)
    .filter(([path, { link }]) => path !== '' && link !== true)
    .map(([path, { license }]) => ({ name: path.replace(/^.*node_modules\//, ''), licence: license ?? 'none' }))
    .filter(({ licence: license }) => !isAllowed(license))
}

function isAllowed(license: string): boolean {
  const plain = license.replace(/[()]/g, '')
  // Parentheses can change the meaning of mixed OR and AND, and this check does not parse them.
  if (plain !== license && plain.includes(' OR ') && plain.includes(' AND ')) return false
  return plain.split(' OR ').some((choice) => choice.split(' AND ').every((part) => ALLOWED_LICENSES.has(part.trim())))
}
