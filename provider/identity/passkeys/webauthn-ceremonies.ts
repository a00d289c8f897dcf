import type {
  AuthenticatorTransport,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server'
import * as v from 'valibot'
import { BRAND_NAME } from '../../../contract/brand.ts'
import type { AccountRow } from '../../accounts/account-rows.ts'
import type { Passkey } from './passkey-rows.ts'
import type { RelyingParty } from './relying-party.ts'

/** Time that the browser waits for the user. */
const TIMEOUT_MS = 5 * 60_000
/** COSE algorithms EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257]

const base64url = v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(6000))
const common = { id: base64url, rawId: base64url, type: v.literal('public-key') }
const created = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ...common,
    response: v.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(10)), []),
    }),
  }),
)
const asserted = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ...common,
    response: v.object({
      clientDataJSON: base64url,
      authenticatorData: base64url,
      signature: base64url,
      userHandle: base64url,
    }),
  }),
)
type Assertion = v.InferOutput<typeof asserted>

const toUserHandle = (userId: string) => Buffer.from(userId).toString('base64url')

/** Returns options to create a passkey, excluding authenticators that hold one of `passkeys`. */
export function creationOptions(
  rp: RelyingParty,
  { userId, email }: AccountRow,
  passkeys: readonly Passkey[],
  challenge: string,
): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id: rp.id, name: BRAND_NAME },
    user: { id: toUserHandle(userId), name: email, displayName: email },
    challenge,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(({ id, transports }) => ({
      id,
      type: 'public-key',
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

export function requestOptions(rp: RelyingParty, challenge: string): PublicKeyCredentialRequestOptionsJSON {
  return { rpId: rp.id, challenge, timeout: TIMEOUT_MS, userVerification: 'required', allowCredentials: [] }
}

/**
 * Verifies the JSON of a passkey that was created for `challenge`, and returns the values to store. Returns null if the
 * JSON does not match the request.
 */
export async function checkCreated(
  rp: RelyingParty,
  challenge: string,
  text: string,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'> | null> {
  const parsed = v.safeParse(created, text)
  if (!parsed.success) return null
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { transports, ...response } = parsed.output.response
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...parsed.output, response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
  } catch {
    return null
  }
}

/** Parses the JSON of an assertion, or returns null. It proves nothing until `checkAssertion`. */
export function readAssertion(text: string): Assertion | null {
  const parsed = v.safeParse(asserted, text)
  return parsed.success ? parsed.output : null
}

/**
 * Returns the new counter of the passkey that signed `challenge`; null if the signature or anything else is invalid.
 */
export async function checkAssertion(
  rp: RelyingParty,
  challenge: string,
  assertion: Assertion,
  passkey: Passkey,
): Promise<number | null> {
  if (assertion.response.userHandle !== toUserHandle(passkey.userId)) return null
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { id, publicKey, counter } = passkey
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: rp.origin,
      expectedRPID: rp.id,
      requireUserVerification: true,
      credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter },
    })
    return verified ? authenticationInfo.newCounter : null
  } catch {
    return null
  }
}
