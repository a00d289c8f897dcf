/** Most file systems allow 255 bytes per name; the difference leaves room for a suffix such as ` (500)`. */
const MAX_BYTES = 240
/** Control characters, format characters (bidi overrides, zero-width characters) and lone surrogates. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/gu
/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])\s*(?:\.|$)/iu
const ENDING = /\.[A-Za-z0-9]{1,8}$/

/** Returns `[stem, ending]` of a name; the ending includes its dot, or is empty. */
function split(name: string): [string, string] {
  const ending = ENDING.exec(name)?.[0] ?? ''
  return [name.slice(0, name.length - ending.length), ending]
}

/** Returns as many whole characters from the start as fit into `bytes` of UTF-8. */
function cut(text: string, bytes: number): string {
  let [prefix, left] = ['', bytes]
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    prefix += character
  }
  return prefix
}

/**
 * Returns a name that every common system stores and shows unchanged: no invisible characters, one line, no Windows
 * device name, no dots or spaces around the stem, at most 240 bytes of UTF-8. `Clip` if nothing is left.
 */
export function safeFileName(name: string): string {
  const line = name.toWellFormed().normalize('NFC').replaceAll('\uFFFD', '').replace(/\s/gu, ' ').replace(INVISIBLE, '')
  const [stem, ending] = split(line.replace(/[. ]+$/u, ''))
  const bare = cut(stem.replace(/ {2,}/gu, ' '), MAX_BYTES - ending.length).replace(/^[. ]+|[. ]+$/gu, '')
  return `${DEVICE.test(bare) ? '_' : ''}${bare || 'Clip'}${ending}`
}

/** Form in which case-insensitive systems compare names. */
const folded = (name: string) => name.toUpperCase().normalize('NFC')

/**
 * Returns safe names (`safeFileName`) without duplicates: the second file with the same name gets ` (2)` before its
 * extension.
 */
export function distinctNames(names: readonly string[]): string[] {
  const usedNames = new Set<string>()
  return names.map((original) => {
    const name = safeFileName(original)
    const [stem, ending] = split(name)
    let free = name
    for (let n = 2; usedNames.has(folded(free)); n += 1) free = `${stem} (${n})${ending}`
    usedNames.add(folded(free))
    return free
  })
}
