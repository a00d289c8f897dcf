import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { signProviderRequest } from '../../../../functions/lib/proxy/sign-request.ts'

const signedContent = '{"event_id":"evt_1","nonce":"17636000000001234"}'
/**
 * Computed once with openssl: the HMAC-SHA-256 of the content. The key is the SHA-256 hash of the text `tokensecret`.
 */
const EXPECTED_SIGNATURE = '4a889aa78a1989d9fab4e2d2e0b96946185cfd62c312316da157695cb39f01cb'

describe('request signature', () => {
  test('SIGN-01 is the keyed hash of the content in lowercase hex', async () => {
    expect(signProviderRequest('v4-event', signedContent, 'token', 'secret')).toBe(EXPECTED_SIGNATURE)
    expect(signProviderRequest('v4-event', `${signedContent} `, 'token', 'secret')).not.toBe(EXPECTED_SIGNATURE)
  })

  test('SIGN-01 of bytes equals the signature of the text they encode', async () => {
    const bytes = new TextEncoder().encode(signedContent) as Uint8Array<ArrayBuffer>
    expect(signProviderRequest('v4-event', bytes, 'token', 'secret')).toBe(EXPECTED_SIGNATURE)
  })

  test('SIGN-02 uses a key hashed from token and secret, so another token changes the signature', async () => {
    const key = createHash('sha256')
      .update('token2' + 'secret')
      .digest()
    const expected = createHmac('sha256', key).update(signedContent).digest('hex')
    expect(signProviderRequest('v4-event', signedContent, 'token2', 'secret')).toBe(expected)
    expect(expected).not.toBe(EXPECTED_SIGNATURE)
  })

  test.each(['device', 'ai-video-search', '', 'NEW-DEVICE', 'constructor'])(
    'SIGN-10 for the endpoint "%s" is empty and logs Invalid token',
    async (endpoint) => {
      const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
      expect(signProviderRequest(endpoint, signedContent, 'token', 'secret')).toBe('')
      expect(log).toHaveBeenCalledExactlyOnceWith('Invalid token')
      log.mockRestore()
    },
  )
})
