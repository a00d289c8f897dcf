import { describe, expect, test } from 'vitest'
import {
  channelToBridge,
  channelToPage,
  decodeBytes,
  encodeBytes,
  computeFingerprint,
} from '../../../../contract/bridge/sealed-channel.ts'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const
const pair = await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])
const bridgeKey = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)))
const parties = { bridgeKey, nonce: 'A'.repeat(22), context: 'bridge\nhome' }

async function bothSides(change: Partial<typeof parties> = {}) {
  const page = await channelToBridge(parties)
  const bridge = await channelToPage(pair.privateKey, { ...parties, ...change }, page.pageKey)
  return { page: page.channel, bridge, pageKey: page.pageKey }
}

describe('sealed message', () => {
  test('can be opened only by the other side, in both directions and in order', async () => {
    const { page, bridge } = await bothSides()
    const ask = await page.seal({ password: 'canary' })
    expect(Buffer.from(ask, 'base64url').toString('latin1')).not.toContain('canary')
    await expect(page.open(ask)).rejects.toThrow()
    expect(await bridge.open(ask)).toEqual({ password: 'canary' })
    const [first, second] = [await bridge.seal(1), await bridge.seal(2)]
    await expect(page.open(second)).rejects.toThrow()
    expect([await page.open(first), await page.open(second)]).toEqual([1, 2])
    await expect(page.open(second)).rejects.toThrow()
  })

  test('with the same content differs each time', async () => {
    const boxes = await Promise.all([bothSides(), bothSides()].map(async (sides) => (await sides).page.seal('same')))
    expect(boxes[0]).not.toBe(boxes[1])
  })

  test.each([{ context: 'bridge\nother' }, { nonce: 'B'.repeat(22) }])(
    'does not open if the two sides disagree: %j',
    async (change) => {
      const { page, bridge } = await bothSides(change)
      await expect(bridge.open(await page.seal('x'))).rejects.toThrow()
    },
  )

  test('does not open after one bit has changed', async () => {
    const { page, bridge } = await bothSides()
    const bytes = decodeBytes(await page.seal('x'))
    bytes[0]! ^= 1
    await expect(bridge.open(encodeBytes(bytes))).rejects.toThrow()
  })

  test.each(['', 'AAAA', 'B'.repeat(87)])('is not created for a key outside the curve: %j', async (key) => {
    await expect(channelToBridge({ ...parties, bridgeKey: key })).rejects.toThrow()
  })
})

test('a fingerprint is four groups of four hex digits of the SHA-256 of the key', async () => {
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', decodeBytes(bridgeKey)))
  const fingerprint = await computeFingerprint(bridgeKey)
  expect(fingerprint.replaceAll(' ', '').toLowerCase()).toBe(digest.toString('hex').slice(0, 16))
  expect(fingerprint).toMatch(/^[0-9A-F]{4}( [0-9A-F]{4}){3}$/)
})
