type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>]

const NODE_PATTERN = /\bnode: (\[\n.*?\n {2}\])/s
const NUMBER = String.raw`[-+]?(?:\d*\.\d+|\d+)`
const RELATIVE_START_PATTERN = new RegExp(String.raw`^m\s*(${NUMBER})[\s,]*(${NUMBER})[\s,]*`)
const GEOMETRY_PATTERN = /^(?:key|d|c[xy]|r[xy]?|[xy][12]?|width|height|points)$/

/**
 * Combines the shapes of an icon module of lucide-react (ISC license) into one path. An icon then needs 2 elements
 * instead of 4, which counts where a press changes the styles of a whole page. Returns null if the module has one shape
 * or none, or if a shape has its own color.
 */
export function combineIconShapes(code: string): string | null {
  const list = NODE_PATTERN.exec(code)?.[1]
  if (!list) return null
  const shapes = parseShapes(list)
  if (shapes.length < 2 || !shapes.every(hasOnlyGeometry)) return null
  const d = shapes.map(([tag, attributes]) => toPath(tag, attributes)).join('')
  return code.replace(list, JSON.stringify([['path', { d, key: 'path' }]]))
}

/** Parses the array literal of the module: its keys are words, and its values are strings. */
const parseShapes = (list: string): Shape[] => JSON.parse(list.replace(/([{,]\s*)(\w+):/g, '$1"$2":')) as Shape[]

const hasOnlyGeometry = ([, attributes]: Shape) => Object.keys(attributes).every((name) => GEOMETRY_PATTERN.test(name))

/** Returns the path data of a shape. It starts with an absolute position, so that it can follow another shape. */
function toPath(tag: string, attributes: Readonly<Record<string, string>>): string {
  const get = (name: string) => Number(attributes[name] ?? 0)
  if (tag === 'path') return toAbsoluteStart(attributes['d'] ?? '')
  if (tag === 'line') return `M${get('x1')} ${get('y1')}L${get('x2')} ${get('y2')}`
  if (tag === 'polyline') return `M${attributes['points'] ?? ''}`
  if (tag === 'circle') return toEllipse(get('cx'), get('cy'), get('r'), get('r'))
  if (tag === 'ellipse') return toEllipse(get('cx'), get('cy'), get('rx'), get('ry'))
  if (tag === 'rect') return toRectangle(attributes)
  throw new Error(`An icon has a <${tag}>. Add it to scripts/lib/icon-paths.ts.`)
}

/** The first command of a path is absolute even if written as `m`. After another shape, `m` would be relative. */
function toAbsoluteStart(d: string): string {
  if (!d.startsWith('m')) return d
  const start = RELATIVE_START_PATTERN.exec(d)
  if (!start) throw new Error(`The path ${d} has no start.`)
  const rest = d.slice(start[0].length)
  // Further positions after `m` are relative lines.
  return `M${start[1]} ${start[2]}${/^[-+\d.]/.test(rest) ? 'l' : ''}${rest}`
}

const toEllipse = (cx: number, cy: number, rx: number, ry: number) =>
  `M${cx - rx} ${cy}a${rx} ${ry} 0 1 0 ${2 * rx} 0 ${rx} ${ry} 0 1 0 ${-2 * rx} 0`

function toRectangle({
  x = '0',
  y = '0',
  width = '0',
  height = '0',
  rx,
  ry,
}: Readonly<Record<string, string>>): string {
  const [w, h] = [Number(width), Number(height)]
  const [radiusX, radiusY] = [Math.min(Number(rx ?? ry ?? 0), w / 2), Math.min(Number(ry ?? rx ?? 0), h / 2)]
  const [straightX, straightY] = [w - 2 * radiusX, h - 2 * radiusY]
  const corner = (dx: number, dy: number) =>
    radiusX > 0 ? `a${radiusX} ${radiusY} 0 0 1 ${dx * radiusX} ${dy * radiusY}` : ''
  return `M${Number(x) + radiusX} ${y}h${straightX}${corner(1, 1)}v${straightY}${corner(-1, 1)}h${-straightX}${corner(-1, -1)}v${-straightY}${corner(1, -1)}z`
}
