import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findIssuerProblem } from '../../../../scripts/lib/issuer-check.ts'
import type { Settings } from '../../../../functions/lib/settings.ts'
import { renewTokens } from '../../../../functions/lib/auth/renew-tokens.ts'
import type { SignIn } from '../../../../functions/lib/auth/complete-sign-in.ts'
import { signOutAtProvider } from '../../../../functions/lib/auth/sign-out-at-provider.ts'
import {
  createIssuerEnvironment,
  describeRejection,
  readIssuerSettings,
  completeTestSignIn,
} from '../../../support/issuer-visit.ts'
import {
  closeScriptedIssuers,
  openScriptedIssuer,
  ISSUER_SUBJECT,
  REFRESH_TOKEN,
  createSignedJwt,
  type IssuerScript,
  type ScriptedResponse,
  type ScriptedIssuer,
} from '../../../support/scripted-issuer.ts'

const NOW_S = Math.floor(Date.now() / 1000)
afterAll(closeScriptedIssuers)

const groups = Array.from({ length: 200 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`)
const BASIC_CHALLENGE_HEADERS = { 'www-authenticate': 'Basic realm="token"' }
const createErrorResponse = (status: number, error: string, description: string, headers = {}): ScriptedResponse => ({
  status,
  headers,
  body: { error, error_description: `${description} ${REFRESH_TOKEN}`, mfa_token: REFRESH_TOKEN },
})

type RefreshCase = readonly [title: string, answer: ScriptedResponse, result: 'ends' | RegExp]
interface IssuerCase extends IssuerScript {
  readonly name: string
  readonly callback?: string
  readonly shown: string
  readonly refreshes: readonly RefreshCase[]
}

const OKTA_RATE_LIMIT_BODY = { errorCode: 'E0000047', errorSummary: 'API call exceeded rate limit' }

/** Behavior of four identity providers, according to their documentation in 2026. */
const ISSUERS: readonly IssuerCase[] = [
  {
    name: 'Keycloak',
    path: '/realms/home',
    callback: '&session_state=0f1e&iss=ISSUER',
    idToken: { preferred_username: 'anna', typ: 'ID', acr: '1', iat: NOW_S + 11 },
    token: {
      expires_in: 300,
      refresh_expires_in: 1800,
      'not-before-policy': 0,
      session_state: '0f1e',
      scope: 'openid',
    },
    userInfo: {
      headers: { 'content-type': 'application/jwt' },
      body: createSignedJwt({ sub: ISSUER_SUBJECT, email: 'anna@corp.example', email_verified: false }),
    },
    shown: 'anna@corp.example',
    refreshes: [
      ['the session is not active', createErrorResponse(400, 'invalid_grant', 'Session not active'), 'ends'],
      [
        'the secret is wrong',
        createErrorResponse(401, 'unauthorized_client', 'Invalid client credentials'),
        /unauthorized_client/,
      ],
      [
        'the client is unknown',
        createErrorResponse(401, 'invalid_client', 'Invalid client', BASIC_CHALLENGE_HEADERS),
        /invalid_client.*401/,
      ],
      ['a proxy returns 502', { status: 502, body: '<html>Bad gateway' }, /502/],
    ],
  },
  {
    name: 'Entra',
    path: '/9f1c/v2.0',
    metadata: { revocation_endpoint: undefined },
    idToken: { preferred_username: 'anna@corp.example', oid: '1', tid: '9f1c', groups },
    token: { access_token: 'a'.repeat(12_000), expires_in: '3599', ext_expires_in: 3599 },
    // The access token is issued for an API other than Microsoft Graph, so the user info endpoint rejects it.
    userInfo: { status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' }, body: {} },
    shown: 'anna@corp.example',
    refreshes: [
      ['a policy asks for MFA', createErrorResponse(400, 'interaction_required', 'AADSTS50076: ...'), 'ends'],
      ['consent was withdrawn', createErrorResponse(400, 'consent_required', 'AADSTS65001: ...'), 'ends'],
      ['the user must sign in', createErrorResponse(400, 'login_required', 'AADSTS50058: ...'), 'ends'],
      ['an account must be chosen', createErrorResponse(400, 'account_selection_required', 'AADSTS16000: ...'), 'ends'],
      ['the token expired', createErrorResponse(400, 'invalid_grant', 'AADSTS700082: ...'), 'ends'],
      [
        'the secret expired',
        createErrorResponse(401, 'invalid_client', 'AADSTS7000222: ...'),
        /invalid_client.*AADSTS7000222/,
      ],
      [
        'a scope is unknown',
        createErrorResponse(400, 'invalid_scope', 'AADSTS70011: ...'),
        /invalid_scope.*AADSTS70011/,
      ],
      ['a parameter is wrong', createErrorResponse(400, 'invalid_request', 'AADSTS900144: ...'), /invalid_request/],
      ['the issuer is unavailable', createErrorResponse(503, 'temporarily_unavailable', 'AADSTS90033: ...'), /503/],
    ],
  },
  {
    name: 'Auth0',
    formatIssuer: (issuer) => `${issuer}/`,
    idToken: { nickname: 'anna', sub: 'auth0|5f7c' },
    token: { expires_in: 86_400, token_type: 'bearer' },
    userInfo: { body: { sub: 'auth0|5f7c', email: 'anna@corp.example', email_verified: true } },
    shown: 'anna@corp.example',
    refreshes: [
      ['the token is unknown', createErrorResponse(403, 'invalid_grant', 'Unknown or invalid refresh token.'), 'ends'],
      ['a rule asks for MFA', createErrorResponse(403, 'mfa_required', 'Multifactor authentication required'), 'ends'],
      ['a rule denies access', createErrorResponse(403, 'access_denied', 'Denied by a rule'), 'ends'],
      [
        'the grant is off',
        createErrorResponse(403, 'unauthorized_client', 'Grant type not allowed'),
        /unauthorized_client/,
      ],
      [
        'the limit is reached',
        createErrorResponse(429, 'too_many_requests', 'Global limit has been reached'),
        /too_many_requests/,
      ],
    ],
  },
  {
    name: 'Okta',
    path: '/oauth2/default',
    idToken: { preferred_username: 'anna@corp.example', email: null, ver: 1 },
    token: { expires_in: undefined },
    shown: 'anna@corp.example',
    refreshes: [
      [
        'the token expired',
        createErrorResponse(400, 'invalid_grant', 'The refresh token is invalid or expired.'),
        'ends',
      ],
      ['a policy denies access', createErrorResponse(400, 'access_denied', 'Policy evaluation failed'), 'ends'],
      [
        'the secret is wrong',
        createErrorResponse(401, 'invalid_client', 'Wrong secret', BASIC_CHALLENGE_HEADERS),
        /invalid_client.*401/,
      ],
      ['the limit is reached', { status: 429, body: OKTA_RATE_LIMIT_BODY }, /429/],
      ['the response is truncated', { body: '{"access_', headers: { 'content-type': 'application/json' } }, /JSON/],
    ],
  },
]

describe.each(ISSUERS)('$name', ({ name, callback = '', shown: displayName, refreshes, ...script }) => {
  let issuer: ScriptedIssuer
  let settings: Settings
  let signedIn: SignIn
  beforeAll(async () => {
    issuer = await openScriptedIssuer(script)
    settings = readIssuerSettings(issuer.issuer)
    signedIn = await completeTestSignIn(settings, callback.replace('ISSUER', encodeURIComponent(issuer.issuer)))
  })

  test('OPEN-181 signs a person in and shows the email address or name that it states', () => {
    expect(signedIn.identity).toEqual({
      userId: expect.stringMatching(/^acct_[0-9a-f]{40}$/),
      email: displayName,
      isEmailConfirmed: name === 'Auth0',
    })
  })

  test('refreshes the tokens', async () => {
    issuer.setRefreshResponse(null)
    expect(await renewTokens(settings, signedIn.tokens, Date.now)).toMatchObject({ refresh: REFRESH_TOKEN })
  })

  test('is accepted at startup', async () => {
    expect(await findIssuerProblem(createIssuerEnvironment(issuer.issuer))).toBeNull()
  })

  test.each(refreshes.filter(([, , result]) => result === 'ends'))('ends the session when %s', async (_, answer) => {
    issuer.setRefreshResponse(answer)
    expect(await renewTokens(settings, signedIn.tokens, Date.now)).toBeNull()
  })

  test.each(refreshes.filter(([, , result]) => result !== 'ends'))(
    'keeps the session, with a reason that contains no token, when %s',
    async (_, answer, reason) => {
      issuer.setRefreshResponse(answer)
      const message = await describeRejection(renewTokens(settings, signedIn.tokens, Date.now))
      expect(message).toMatch(reason as RegExp)
      expect(message).not.toContain(REFRESH_TOKEN)
    },
  )
})

describe('issuer times', () => {
  test.each([
    ['as a string', { expires_in: '3599' }, 3599],
    ['that is omitted', { expires_in: undefined }, 3600],
    ['of zero', { expires_in: 0 }, 0],
  ])('set the token expiry in seconds for a lifetime %s', async (_, token, seconds) => {
    const { issuer } = await openScriptedIssuer({ token, idToken: { email: 'a@b' } })
    const before = Date.now()
    const { tokens } = await completeTestSignIn(readIssuerSettings(issuer))
    expect(tokens.expiresAt).toBeGreaterThanOrEqual(before + seconds * 1000)
    expect(tokens.expiresAt).toBeLessThanOrEqual(Date.now() + seconds * 1000)
  })

  test.each([20, 45, 300])('may be %i s ahead of ours', async (ahead) => {
    const { issuer } = await openScriptedIssuer({ idToken: { iat: NOW_S + ahead, email: 'a@b' } })
    expect((await completeTestSignIn(readIssuerSettings(issuer))).identity.email).toBe('a@b')
  })

  test.each([
    ['nbf', NOW_S + 300],
    ['exp', NOW_S - 300],
  ])('produce an error that names the clock if they make an ID token invalid by its %s', async (claim, at) => {
    const { issuer } = await openScriptedIssuer({ idToken: { [claim]: at, email: 'a@b' } })
    expect(await describeRejection(completeTestSignIn(readIssuerSettings(issuer)))).toMatch(
      new RegExp(`clock.*${claim}.*\\b(29\\d|30\\d) s`),
    )
  })
})

test('sign-out revokes the previous tokens if a refresh would need a new sign-in', async () => {
  const metadata = { end_session_endpoint: 'https://id.company.example/logout' }
  const issuer = await openScriptedIssuer({ metadata, token: { expires_in: 0 }, idToken: { email: 'a@b' } })
  const settings = readIssuerSettings(issuer.issuer)
  const { tokens } = await completeTestSignIn(settings)
  issuer.setRefreshResponse(createErrorResponse(400, 'interaction_required', 'AADSTS50076: ...'))
  const url = await signOutAtProvider(settings, { tokens, signOn: true }, Date.now() + 1)
  expect(issuer.requestedPaths.slice(-2)).toEqual(['/token', '/revoke'])
  expect(new URL(url ?? '').searchParams.get('id_token_hint')).toBe(tokens.idToken)
})
