import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { signProviderRequest } from '../../../../functions/lib/proxy/sign-request.ts'

const content = '{"event_id":"evt_1","nonce":"17636000000001234"}'
/** Computed once with openssl: HMAC-SHA-256 over the content, with the SHA-256 of "token"+"secret" as key. */
const VECTOR = '4a889aa78a1989d9fab4e2d2e0b96946185cfd62c312316da157695cb39f01cb'

describe('request signature', () => {
  test('SIGN-01 is the keyed hash of the content in lowercase hex', async () => {
    expect(signProviderRequest('v4-event', content, 'token', 'secret')).toBe(VECTOR)
    expect(signProviderRequest('v4-event', `${content} `, 'token', 'secret')).not.toBe(VECTOR)
  })

  test('SIGN-01 of bytes equals the signature of the text they encode', async () => {
    const bytes = new TextEncoder().encode(content) as Uint8Array<ArrayBuffer>
    expect(signProviderRequest('v4-event', bytes, 'token', 'secret')).toBe(VECTOR)
  })

  test('SIGN-02 uses a key hashed from token and secret, so another token changes the signature', async () => {
    const key = createHash('sha256')
      .update('token2' + 'secret')
      .digest()
    const expected = createHmac('sha256', key).update(content).digest('hex')
    expect(signProviderRequest('v4-event', content, 'token2', 'secret')).toBe(expected)
    expect(expected).not.toBe(VECTOR)
  })

  test.each(['device', 'ai-video-search', '', 'NEW-DEVICE', 'constructor'])(
    'SIGN-10 for the endpoint "%s" is empty and logs Invalid token',
    async (endpoint) => {
      const log = vi.spyOn(console, 'log').mockImplementation(() => undefined)
      expect(signProviderRequest(endpoint, content, 'token', 'secret')).toBe('')
      expect(log).toHaveBeenCalledExactlyOnceWith('Invalid token')
      log.mockRestore()
    },
  )
})
