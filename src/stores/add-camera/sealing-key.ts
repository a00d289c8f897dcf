import { atom } from 'nanostores'
import { getBridgeSealingKey } from '../../../contract/cameras/camera-setup.ts'
import { computeFingerprint, importPublicKey } from '../../../contract/bridge/sealed-channel.ts'
import { request } from '../../api/api-client.ts'
import { formatFailure } from '../shell/failure-text.ts'
import { persistentJson } from '../storage/persistent-atoms.ts'

/**
 * Sealing key of a bridge, with a nonce that is valid for one request. The page therefore fetches both before each
 * request.
 */
export interface SealingKey {
  readonly bridge_id: string
  readonly home_id: string
  readonly name: string
  readonly key: string
  readonly nonce: string
  /** Fingerprint of the key. The user compares it with the fingerprint in the bridge's log. */
  readonly fingerprint: string
}

/**
 * State of the sealed channel for adding cameras. `changed`: the bridge's fingerprint is not among the accepted ones,
 * so the page sends nothing. `insecure`: a page without HTTPS cannot encrypt.
 */
export type SealingKeyState =
  | { state: 'asking' | 'no_bridge' | 'demo' | 'insecure' }
  | { state: 'bridge_off' | 'no_answer'; name: string }
  | { state: 'open' | 'changed'; name: string; home: string; fingerprint: string }
  | { state: 'failed'; text: string }

const NOT_OWNER_TEXT =
  'Only the owner of a home can add cameras to it. Cameras shared with you appear on the Cameras page.'

const UNUSABLE_KEY_TEXT = 'Your hub sent an invalid encryption key. Restart the hub, then reload this page.'

export const $sealingKeyState = atom<SealingKeyState>({ state: 'asking' })

/** Bridge fingerprints that this browser has accepted, by home id. A sign-out does not delete the fingerprints. */
type FingerprintsByHome = Readonly<Record<string, readonly string[]>>
const $knownFingerprints = persistentJson<FingerprintsByHome>('browser_bridge_seals', {}, isFingerprintsByHome)

/**
 * Fetches the sealing key of the bridge that has camera `deviceId`, or that gets new cameras, and stores the resulting state in `$sealingKeyState`. Returns null if the page must
 * not send anything, for example because the fingerprint is not among the accepted ones.
 */
export async function fetchSealingKey(deviceId?: string): Promise<SealingKey | null> {
  if (!globalThis.crypto?.subtle) return setFailedState({ state: 'insecure' })
  const response = await request(getBridgeSealingKey, deviceId === undefined ? {} : { device_id: deviceId })
  if (!response.ok)
    return setFailedState({ state: 'failed', text: response.status === 403 ? NOT_OWNER_TEXT : formatFailure(response) })
  const keyResponse = response.data
  if (keyResponse.state !== 'open') return setFailedState(keyResponse)
  const isKey = await importPublicKey(keyResponse.key).then(Boolean, () => false)
  if (!isKey) return setFailedState({ state: 'failed', text: UNUSABLE_KEY_TEXT })
  const fingerprint = await computeFingerprint(keyResponse.key)
  const { home_id, name } = keyResponse
  const knownFingerprints = $knownFingerprints.get()[home_id] ?? []
  if (knownFingerprints.length === 0) acceptFingerprint(home_id, fingerprint)
  const isKnownKey = knownFingerprints.length === 0 || knownFingerprints.includes(fingerprint)
  $sealingKeyState.set({ state: isKnownKey ? 'open' : 'changed', name, home: home_id, fingerprint })
  return isKnownKey ? { ...keyResponse, fingerprint } : null
}

/** Accepts a fingerprint: one that the user has compared, or the first one that this browser sees for this home. */
export function acceptFingerprint(home: string, fingerprint: string): void {
  const stored = $knownFingerprints.get()
  $knownFingerprints.set({ ...stored, [home]: [...(stored[home] ?? []), fingerprint].slice(-8) })
}

function setFailedState(state: SealingKeyState): null {
  $sealingKeyState.set(state)
  return null
}

function isFingerprintsByHome(value: unknown): value is FingerprintsByHome {
  const isList = (entry: unknown) => Array.isArray(entry) && entry.every((text) => typeof text === 'string')
  return typeof value === 'object' && value !== null && Object.values(value).every(isList)
}
