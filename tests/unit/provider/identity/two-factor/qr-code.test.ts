import { encode } from 'uqr'
import { expect, test } from 'vitest'
import { otpauthUrl, createTotpKey } from '../../../../../provider/identity/two-factor/one-time-codes.ts'
import { renderQrCode } from '../../../../../provider/identity/two-factor/page-elements.ts'

test('the drawing matches the light and dark modules of the QR code, within a border of four', async () => {
  const text = otpauthUrl(createTotpKey(), 'maya@example.com')
  expect(text).toMatch(/^otpauth:\/\/totp\/Porchlight:maya%40example\.com\?issuer=Porchlight&secret=[A-Z2-7]{32}&/)
  const svg = String(await renderQrCode(text))
  const size = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1])
  const pixels = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, length] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    for (let n = 0; n < Number(length); n++) (pixels[Number(y)] ?? [])[Number(x) + n] = true
  const { data } = encode(text, { ecc: 'M', border: 4 })
  expect(pixels).toEqual(data)
  expect(pixels.slice(0, 4).flat()).not.toContain(true)
})
