import { describe, expect, test } from 'vitest'
import {
  openChannelToBridge,
  openChannelToPage,
  decodeBytes,
  encodeBytes,
  computeFingerprint,
} from '../../../../contract/bridge/sealed-channel.ts'

const CURVE = { name: 'ECDH', namedCurve: 'P-256' } as const
const bridgeKeyPair = await crypto.subtle.generateKey(CURVE, true, ['deriveBits'])
const bridgeKey = encodeBytes(new Uint8Array(await crypto.subtle.exportKey('raw', bridgeKeyPair.publicKey)))
const channelParameters = { bridgeKey, nonce: 'A'.repeat(22), context: 'bridge\nhome' }

async function openBothSides(change: Partial<typeof channelParameters> = {}) {
  const page = await openChannelToBridge(channelParameters)
  const bridge = await openChannelToPage(bridgeKeyPair.privateKey, { ...channelParameters, ...change }, page.pageKey)
  return { page: page.channel, bridge, pageKey: page.pageKey }
}

describe('sealed message', () => {
  test('can be opened only by the other side, in both directions and in order', async () => {
    const { page, bridge } = await openBothSides()
    const sealedMessage = await page.seal({ password: 'canary' })
    expect(Buffer.from(sealedMessage, 'base64url').toString('latin1')).not.toContain('canary')
    await expect(page.open(sealedMessage)).rejects.toThrow()
    expect(await bridge.open(sealedMessage)).toEqual({ password: 'canary' })
    const [first, second] = [await bridge.seal(1), await bridge.seal(2)]
    await expect(page.open(second)).rejects.toThrow()
    expect([await page.open(first), await page.open(second)]).toEqual([1, 2])
    await expect(page.open(second)).rejects.toThrow()
  })

  test('with the same content differs each time', async () => {
    const sealedMessages = await Promise.all(
      [openBothSides(), openBothSides()].map(async (sides) => (await sides).page.seal('same')),
    )
    expect(sealedMessages[0]).not.toBe(sealedMessages[1])
  })

  test.each([{ context: 'bridge\nother' }, { nonce: 'B'.repeat(22) }])(
    'does not open if the two sides disagree: %j',
    async (change) => {
      const { page, bridge } = await openBothSides(change)
      await expect(bridge.open(await page.seal('x'))).rejects.toThrow()
    },
  )

  test('does not open after one bit has changed', async () => {
    const { page, bridge } = await openBothSides()
    const bytes = decodeBytes(await page.seal('x'))
    bytes[0]! ^= 1
    await expect(bridge.open(encodeBytes(bytes))).rejects.toThrow()
  })

  test.each(['', 'AAAA', 'B'.repeat(87)])('is not created for a key outside the curve: %j', async (key) => {
    await expect(openChannelToBridge({ ...channelParameters, bridgeKey: key })).rejects.toThrow()
  })
})

test('a fingerprint is four groups of four hex digits of the SHA-256 of the key', async () => {
  const digest = Buffer.from(await crypto.subtle.digest('SHA-256', decodeBytes(bridgeKey)))
  const fingerprint = await computeFingerprint(bridgeKey)
  expect(fingerprint.replaceAll(' ', '').toLowerCase()).toBe(digest.toString('hex').slice(0, 16))
  expect(fingerprint).toMatch(/^[0-9A-F]{4}( [0-9A-F]{4}){3}$/)
})
