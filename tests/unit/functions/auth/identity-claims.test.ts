import { afterAll, describe, expect, test } from 'vitest'
import { describeRejection, readIssuerSettings, completeTestSignIn } from '../../../support/issuer-visit.ts'
import {
  closeScriptedIssuers,
  openScriptedIssuer,
  ISSUER_SUBJECT,
  createSignedJwt,
  type IssuerScript,
} from '../../../support/scripted-issuer.ts'

afterAll(closeScriptedIssuers)

describe('displayed address or name', () => {
  const createUserInfoJwt = (claims: object) => ({
    headers: { 'content-type': 'application/jwt' },
    body: createSignedJwt({ sub: ISSUER_SUBJECT, ...claims }),
  })
  test.each<[title: string, script: IssuerScript, more: Record<string, string>, shown: string]>([
    ['the configured claim', { idToken: { upn: 'anna@ad', email: 'a@b' } }, { OIDC_EMAIL_CLAIM: 'upn' }, 'anna@ad'],
    ['the email without that claim', { idToken: { email: 'a@b' } }, { OIDC_EMAIL_CLAIM: 'upn' }, 'a@b'],
    ['the email of a signed user info', { userInfo: createUserInfoJwt({ email: 'jwt@b' }) }, {}, 'jwt@b'],
    [
      'the ID token for an encrypted user info',
      { userInfo: { ...createUserInfoJwt({}), body: 'a.b.c.d.e' }, idToken: { email: 'a@b' } },
      {},
      'a@b',
    ],
    [
      'the user info before the ID token',
      { idToken: { email: 'old@b' }, userInfo: createUserInfoJwt({ email: 'new@b' }) },
      {},
      'new@b',
    ],
    ['the email before preferred_username', { idToken: { email: 'a@b', preferred_username: 'anna' } }, {}, 'a@b'],
    ['preferred_username without an email', { idToken: { email: '', preferred_username: 'anna' } }, {}, 'anna'],
    ['the subject without any of them', {}, {}, ISSUER_SUBJECT],
  ])('is %s', async (_, script, more, expected) => {
    const { issuer } = await openScriptedIssuer(script)
    expect((await completeTestSignIn(readIssuerSettings(issuer, more))).identity.email).toBe(expected)
  })

  test.each<[title: string, script: IssuerScript, more: Record<string, string>, isConfirmed: boolean]>([
    ['the issuer confirms it', { idToken: { email: 'a@b', email_verified: true } }, {}, true],
    [
      'the issuer confirms the address in the configured claim',
      { idToken: { upn: 'a@b', email: 'a@b', email_verified: true } },
      { OIDC_EMAIL_CLAIM: 'upn' },
      true,
    ],
    ['the issuer does not say', { idToken: { email: 'a@b' } }, {}, false],
    [
      'the issuer confirms it with a string instead of a boolean',
      { idToken: { email: 'a@b', email_verified: 'true' } },
      {},
      false,
    ],
    [
      'the issuer confirms another address',
      { idToken: { upn: 'c@d', email: 'a@b', email_verified: true } },
      { OIDC_EMAIL_CLAIM: 'upn' },
      false,
    ],
    [
      'the issuer confirmed an earlier address',
      { idToken: { email: 'a@b', email_verified: true }, userInfo: createUserInfoJwt({ email: 'c@d' }) },
      {},
      false,
    ],
    ['the displayed value is a name', { idToken: { preferred_username: 'a@b', email_verified: true } }, {}, false],
  ])('OPEN-181 is confirmed, or is not, when %s', async (_, script, more, isConfirmed) => {
    const { issuer } = await openScriptedIssuer(script)
    expect((await completeTestSignIn(readIssuerSettings(issuer, more))).identity.isEmailConfirmed).toBe(isConfirmed)
  })

  test('is not read from a token of another issuer, and the reason names both issuers', async () => {
    const { issuer } = await openScriptedIssuer({ idToken: { iss: 'https://inside.example', email: 'a@b' } })
    expect(await describeRejection(completeTestSignIn(readIssuerSettings(issuer)))).toMatch(
      new RegExp(`https://inside.example.*${issuer}`),
    )
  })

  test('is not read from the user info of another account', async () => {
    const script = { idToken: { email: 'a@b' }, userInfo: { body: { sub: 'another', email: 'c@d' } } }
    const { issuer } = await openScriptedIssuer(script)
    expect(await describeRejection(completeTestSignIn(readIssuerSettings(issuer)))).toMatch(/a different account/)
  })
})
