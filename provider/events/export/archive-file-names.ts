/**
 * Maximum bytes of a file name. Most file systems allow 255; the difference leaves room for a suffix such as ` (500)`.
 */
const MAX_NAME_BYTES = 240
/** Matches control characters, format characters (bidi overrides, zero-width characters) and lone surrogates. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}]/gu
/** Matches names that Windows reserves for devices, with any extension. */
const WINDOWS_DEVICE_NAME_PATTERN = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/iu
const EXTENSION_PATTERN = /\.[A-Za-z0-9]{1,8}$/

function splitExtension(name: string): [string, string] {
  const extension = EXTENSION_PATTERN.exec(name)?.[0] ?? ''
  return [name.slice(0, name.length - extension.length), extension]
}

function truncateToBytes(text: string, maxBytes: number): string {
  let [prefix, left] = ['', maxBytes]
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    prefix += character
  }
  return prefix
}

/**
 * Returns a file name of at most 240 bytes that is safe on common systems. A stem without a safe character becomes
 * `Clip`.
 */
export function toSafeFileName(name: string): string {
  const line = name
    .toWellFormed()
    .normalize('NFC')
    .replaceAll('\uFFFD', '')
    .replace(/\s/gu, ' ')
    .replace(INVISIBLE_CHARACTERS, '')
  const [stem, extension] = splitExtension(line.replace(/[. ]+$/u, ''))
  const bare = truncateToBytes(stem.replace(/ {2,}/gu, ' '), MAX_NAME_BYTES - extension.length).replace(
    /^[. ]+|[. ]+$/gu,
    '',
  )
  return `${WINDOWS_DEVICE_NAME_PATTERN.test(bare) ? '_' : ''}${bare || 'Clip'}${extension}`
}

/** Returns the form that case-insensitive file systems use to compare names. */
const foldCase = (name: string) => name.toUpperCase().normalize('NFC')

/** Returns unique safe names: the second file with the same name gets ` (2)` before its extension. */
export function makeUniqueFileNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((original) => {
    const name = toSafeFileName(original)
    const [stem, extension] = splitExtension(name)
    let candidate = name
    for (let n = 2; usedNames.has(foldCase(candidate)); n += 1) candidate = `${stem} (${n})${extension}`
    usedNames.add(foldCase(candidate))
    return candidate
  })
}
