import * as oidc from 'openid-client'
import { describe, expect, test } from 'vitest'
import { OAUTH_SCOPES } from '../../../../contract/wire/constants.ts'
import { buildAuthorizeUrl } from '../../../../functions/lib/auth/oidc-client.ts'
import { readSettings, type Bindings } from '../../../../functions/lib/settings.ts'
import { createCodeVerifier } from '../../../../functions/lib/auth/pending-authorizations.ts'
import { makeEnvironment, makeSecrets } from '../../../../scripts/lib/secrets.ts'

const origins = { portalOrigin: 'https://portal.example', providerOrigin: 'https://provider.example', buildId: 'b' }
const result = readSettings(makeEnvironment(makeSecrets(), origins) as unknown as Bindings)
if (!result.ok) throw new Error(result.problem)
const { settings } = result

function createAuthorizeUrl(authorizationEndpoint: string): URL {
  const metadata = { issuer: 'https://provider.example', authorization_endpoint: authorizationEndpoint }
  const found = new oidc.Configuration(metadata, 'client', 'secret')
  return buildAuthorizeUrl(found, settings, {
    state: '/events?x=1',
    kount: 'k1',
    challenge: 'c'.repeat(43),
    nonce: 'n1',
  })
}

describe('authorize URL', () => {
  test('AUTH-11 takes its base from the configured provider', () => {
    expect(createAuthorizeUrl('https://one.example/authorize').href).toMatch(/^https:\/\/one\.example\/authorize\?/)
    expect(createAuthorizeUrl('https://two.example/o/a').href).toMatch(/^https:\/\/two\.example\/o\/a\?/)
  })

  test('AUTH-19 requests the scopes authcode-read, openid, email and native', () => {
    expect(createAuthorizeUrl('https://one.example/a').searchParams.get('scope')).toBe(
      'authcode-read openid email native',
    )
    expect(OAUTH_SCOPES).toHaveLength(4)
  })

  test('names the client, the requested access and the method in its query', () => {
    expect(Object.fromEntries(createAuthorizeUrl('https://one.example/a').searchParams)).toEqual({
      client_id: 'client',
      redirect_uri: 'https://portal.example/api/auth/callback',
      response_type: 'code',
      scope: 'authcode-read openid email native',
      kount_session_id: 'k1',
      code_challenge: 'c'.repeat(43),
      code_challenge_method: 'S256',
      state: '/events?x=1',
      nonce: 'n1',
    })
  })
})

describe('code challenge', () => {
  const random = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG'

  test('AUTH-09 the verifier ends with the current timestamp and is valid', () => {
    const verifier = createCodeVerifier(1_763_600_000_000, random)
    expect(verifier).toBe(`${random}.${(1_763_600_000_000).toString(36)}`)
    expect(verifier).toMatch(/^[A-Za-z0-9._~-]{52}$/)
  })

  test('AUTH-09 the challenge is the verifier’s SHA-256 in URL-safe base64 without padding', async () => {
    // Test vector of RFC 7636, appendix B.
    const rfcChallenge = await oidc.calculatePKCECodeChallenge('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk')
    expect(rfcChallenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')
    const challenge = await oidc.calculatePKCECodeChallenge(createCodeVerifier(1_763_600_000_000, random))
    expect(challenge).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(challenge).not.toBe(await oidc.calculatePKCECodeChallenge(createCodeVerifier(1_763_600_000_001, random)))
  })
})
