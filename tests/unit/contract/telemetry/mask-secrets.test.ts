import { describe, expect, test } from 'vitest'
import { maskValue, maskText, maskUrl } from '../../../../contract/telemetry/mask-secrets.ts'

describe('masking', () => {
  test.each([
    ['LOG-04 tokens', 'access_token'],
    ['LOG-04 the authorization header', 'Authorization'],
    ['LOG-05 the last four digits', 'last_four'],
    ['LOG-06 payment details', 'payment_details'],
    ['LOG-07 the first line of the street', 'street1'],
    ['LOG-07 the second line of the street', 'street2'],
    ['LOG-08 the phone', 'phone'],
    ['LOG-09 a replay URL', 'replay_url'],
    ['emails', 'user_account'],
    ['emails in the email field', 'email'],
    ['coupon codes', 'couponCode'],
    ['return proofs of the card page', 'proof'],
  ])('%s', (_, key) => {
    const secret = { [key]: 'canary', nested: [{ deep: { [key]: { canary: ['canary'] } } }] }
    expect(JSON.stringify(maskValue(secret))).not.toContain('"canary"')
    expect(maskValue({ [key]: 'canary' })).toEqual({ [key]: '[masked]' })
  })

  test('leaves values that are not secret unchanged', () => {
    const harmless = { device_id: 'CAM1', count: 3, on: true, none: null, list: [1, 'two'] }
    expect(maskValue(harmless)).toEqual(harmless)
  })

  test('drops unknown types and values that are nested too deep', () => {
    expect(maskValue({ a: new Map([['token', 'x']]), b: () => 1, c: 1n, d: 1 })).toEqual({ d: 1 })
    const loop: Record<string, unknown> = { a: 1 }
    loop['loop'] = loop
    expect(JSON.stringify(maskValue(loop)).length).toBeLessThan(200)
  })

  test('covers emails and tokens within text', () => {
    expect(maskText('owner@example.com said Bearer abc.def and eyJhbGciOi.eyJ.x')).toBe(
      '[masked] said [masked] and [masked]',
    )
  })

  test('covers emails of any length that an account can have, anywhere in a long text', () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.example.com`
    expect(maskText(`${'x'.repeat(60_000)} ${email}, <${email}>`)).toBe(`${'x'.repeat(60_000)} [masked], <[masked]>`)
  })

  test('LOG-09 removes secret parameters from URLs, and everything but the host from a replay URL', () => {
    expect(maskUrl('/api/p/v4-event/list?device=CAM1&token=abc#x')).toBe(
      '/api/p/v4-event/list?device=CAM1&token=[masked]',
    )
    expect(maskUrl('https://media.example/replays/secret/clip.mp4?sig=1')).toBe('https://media.example/[masked]')
    expect(maskUrl('/redeem/process/WELCOME20')).toBe('/redeem/process/[masked]')
  })

  test('removes names of people and search text from event URLs', () => {
    const url = 'https://cam.example/events?tags=motion&person=Ann&person=Bob&search=a%20red%20bicycle&sort=newest'
    expect(maskText(url)).toBe(
      'https://cam.example/events?tags=motion&person=[masked]&person=[masked]&search=[masked]&sort=newest',
    )
    expect(maskValue({ persons: 2, research: 1, Search: 'Ann' })).toEqual({
      persons: 2,
      research: 1,
      Search: '[masked]',
    })
  })
})
