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

const CEREMONY_TIMEOUT_MS = 5 * 60_000
/** COSE algorithm ids of EdDSA, ES256 and RS256. */
const COSE_ALGORITHMS = [-8, -7, -257]

const base64urlSchema = v.pipe(v.string(), v.regex(/^[\w-]+$/), v.maxLength(6000))
const credentialFields = { id: base64urlSchema, rawId: base64urlSchema, type: v.literal('public-key') }
const registrationSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ...credentialFields,
    response: v.object({
      clientDataJSON: base64urlSchema,
      attestationObject: base64urlSchema,
      transports: v.optional(v.pipe(v.array(v.pipe(v.string(), v.maxLength(20))), v.maxLength(10)), []),
    }),
  }),
)
const assertionSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    ...credentialFields,
    response: v.object({
      clientDataJSON: base64urlSchema,
      authenticatorData: base64urlSchema,
      signature: base64urlSchema,
      userHandle: base64urlSchema,
    }),
  }),
)
type Assertion = v.InferOutput<typeof assertionSchema>

const toUserHandle = (userId: string) => Buffer.from(userId).toString('base64url')

/** Returns the options for creating a passkey. Excludes authenticators that hold one of `passkeys`. */
export function buildCreationOptions(
  rp: RelyingParty,
  { userId, email }: AccountRow,
  passkeys: readonly Passkey[],
  challenge: string,
): PublicKeyCredentialCreationOptionsJSON {
  return {
    rp: { id: rp.id, name: BRAND_NAME },
    user: { id: toUserHandle(userId), name: email, displayName: email },
    challenge,
    pubKeyCredParams: COSE_ALGORITHMS.map((alg) => ({ alg, type: 'public-key' })),
    timeout: CEREMONY_TIMEOUT_MS,
    attestation: 'none',
    excludeCredentials: passkeys.map(({ id, transports }) => ({
      id,
      type: 'public-key',
      transports: transports as AuthenticatorTransport[],
    })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
  }
}

export function buildRequestOptions(rp: RelyingParty, challenge: string): PublicKeyCredentialRequestOptionsJSON {
  return { rpId: rp.id, challenge, timeout: CEREMONY_TIMEOUT_MS, userVerification: 'required', allowCredentials: [] }
}

/**
 * Verifies the JSON of a passkey that was created for `challenge`, and returns the values to store. Returns null if the
 * JSON is malformed or the verification fails.
 */
export async function verifyRegistration(
  rp: RelyingParty,
  challenge: string,
  text: string,
): Promise<Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports'> | null> {
  const parsed = v.safeParse(registrationSchema, text)
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
      supportedAlgorithmIDs: COSE_ALGORITHMS,
    })
    if (!verified) return null
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey).toString('base64url'), counter, transports }
  } catch {
    return null
  }
}

/** Parses the JSON of an assertion, or returns null. `verifyAssertion` verifies the signature. */
export function parseAssertion(text: string): Assertion | null {
  const parsed = v.safeParse(assertionSchema, text)
  return parsed.success ? parsed.output : null
}

/**
 * Verifies an assertion for `challenge` and returns the passkey's new counter. Returns null if the signature or another
 * field is invalid.
 */
export async function verifyAssertion(
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
