const ELEMENTS_MAX = 64

export interface XmlElement {
  readonly attributes: string
  readonly content: string
}

interface Tag {
  readonly name: string
  readonly attributes: string
  readonly isClosing: boolean
  readonly isEmpty: boolean
  readonly begin: number
  readonly end: number
}

/**
 * Returns at most `max` XML elements with this local name and any prefix, in document order. Skips unclosed elements,
 * and elements inside an element of the same name. Scans once, so that the cost is linear in the text length.
 */
export function findElements(xml: string, name: string, max = ELEMENTS_MAX): XmlElement[] {
  const found: XmlElement[] = []
  let open: Tag | undefined
  let depth = 0
  for (let tag = findNextTag(xml, 0); tag && found.length < max; tag = findNextTag(xml, tag.end)) {
    if (tag.name !== name) continue
    if (tag.isEmpty) {
      if (!open) found.push({ attributes: tag.attributes, content: '' })
    } else if (!tag.isClosing) {
      open ??= tag
      depth++
    } else if (open && --depth === 0) {
      found.push({ attributes: open.attributes, content: xml.slice(open.end, tag.begin) })
      open = undefined
    }
  }
  return found
}

/**
 * Returns the next tag from `at`, skipping comments, CDATA sections and declarations; undefined at the end of the text.
 */
function findNextTag(xml: string, at: number): Tag | undefined {
  for (let begin = xml.indexOf('<', at); begin !== -1; begin = xml.indexOf('<', at)) {
    const [opening, closing] = SKIPPED_DELIMITERS.find(([start]) => xml.startsWith(start, begin)) ?? ['<', '>']
    const end = xml.indexOf(closing, begin + opening.length)
    if (end === -1) return undefined
    at = end + closing.length
    if (opening === '<') return parseTag(xml, begin, end)
  }
  return undefined
}

const SKIPPED_DELIMITERS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<!', '>'],
  ['<?', '?>'],
] as const

function parseTag(xml: string, begin: number, end: number): Tag {
  const closes = xml[begin + 1] === '/'
  const isEmpty = xml[end - 1] === '/'
  const inside = xml.slice(begin + (closes ? 2 : 1), isEmpty ? end - 1 : end)
  const [qualified = ''] = /^[^\s:]{1,100}(?::[^\s:]{1,100})?/.exec(inside) ?? []
  const name = qualified.slice(qualified.indexOf(':') + 1)
  return { name, attributes: inside.slice(qualified.length), isClosing: closes, isEmpty, begin, end: end + 1 }
}

/** Returns the value of an attribute whose name has no prefix; undefined if the tag lacks this attribute. */
export function getAttribute({ attributes }: Pick<XmlElement, 'attributes'>, name: string): string | undefined {
  let from = 0
  for (let at = attributes.indexOf('='); at !== -1; at = attributes.indexOf('=', from)) {
    const attributeName = attributes.slice(from, at).trim()
    const quote = /^\s{0,10}["']/.exec(attributes.slice(at + 1, at + 12))?.[0]
    from = at + 1
    if (quote === undefined) continue
    const begin = from + quote.length
    const end = attributes.indexOf(quote.slice(-1), begin)
    if (end === -1) return undefined
    if (attributeName === name) return decodeEntities(attributes.slice(begin, end))
    from = end + 1
  }
  return undefined
}

export function getElementText(xml: string, name: string): string | undefined {
  const [element] = findElements(xml, name, 1)
  return element && decodeEntities(element.content)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const decodeEntities = (text: string) =>
  text
    .trim()
    .replaceAll(/&(?:(amp|lt|gt|quot|apos)|#(?:(\d{1,7})|x([\da-f]{1,6})));/gi, (whole, name, decimal, hex) =>
      name === undefined ? decodeCodePoint(whole, decimal, hex) : (ENTITIES[String(name)] ?? whole),
    )

function decodeCodePoint(whole: string, decimal: unknown, hex: unknown): string {
  const code = decimal === undefined ? parseInt(String(hex), 16) : Number(decimal)
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
