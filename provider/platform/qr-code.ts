import { encode } from 'uqr'

/** Width of the quiet zone around a QR code, in modules (ISO/IEC 18004). */
const QUIET_ZONE_MODULES = 4

/** Returns a QR code as one SVG path. Each part of the path is a horizontal run of dark modules. */
export function createQrPath(text: string): { readonly size: number; readonly path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE_MODULES })
  const darkRuns = data.flatMap((row, y) => {
    const line = row.map((dark) => (dark ? '1' : '0')).join('')
    return [...line.matchAll(/1+/g)].map(({ 0: { length }, index }) => `M${index} ${y}h${length}v1h-${length}z`)
  })
  return { size, path: darkRuns.join('') }
}
