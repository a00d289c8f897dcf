import { atom } from 'nanostores'
import { openCameraDoor } from '../../../contract/cameras/camera-setup.ts'
import { computeFingerprint, publicKey } from '../../../contract/bridge/sealed-channel.ts'
import { request } from '../../api/api-client.ts'
import { failureText } from '../shell/failure-text.ts'
import { keptJson } from '../storage/persistent-atoms.ts'

/** The door of a bridge, as it is asked for before each box. */
export interface OpenDoor {
  readonly bridge_id: string
  readonly home_id: string
  readonly name: string
  readonly key: string
  readonly nonce: string
  /** Of its key, for people. */
  readonly fingerprint: string
}

/**
 * Whether a camera can be added here. `changed`: the bridge shows another fingerprint than this browser knows of this home, and
 * nothing is sent to it. `insecure`: browsers seal nothing on a page without https.
 */
export type Door =
  | { state: 'asking' | 'no_bridge' | 'demo' | 'insecure' }
  | { state: 'bridge_off' | 'no_answer'; name: string }
  | { state: 'open' | 'changed'; name: string; home: string; fingerprint: string }
  | { state: 'failed'; text: string }

const NO_HOME = 'Only the owner of a home can add cameras. What others share with you appears here by itself.'

const NO_KEY = 'The key of your box cannot be used. Start the box again, then load this page again.'

export const $door = atom<Door>({ state: 'asking' })

/** Fingerprints that this browser has met, by home. It is the browser's: a sign-out does not make it forget them. */
type FingerprintsByHome = Readonly<Record<string, readonly string[]>>
const $known = keptJson<FingerprintsByHome>('browser_bridge_seals', {}, isKnown)

/** Asks for the door; null where nothing can be sealed, and `$door` says why. */
export async function fetchSealingKey(): Promise<OpenDoor | null> {
  if (!globalThis.crypto?.subtle) return shut({ state: 'insecure' })
  const answer = await request(openCameraDoor, {})
  if (!answer.ok) return shut({ state: 'failed', text: answer.status === 403 ? NO_HOME : failureText(answer) })
  const door = answer.data
  if (door.state !== 'open') return shut(door)
  const isKey = await publicKey(door.key).then(Boolean, () => false)
  if (!isKey) return shut({ state: 'failed', text: NO_KEY })
  const fingerprint = await computeFingerprint(door.key)
  const { home_id, name } = door
  const knownFingerprints = $known.get()[home_id] ?? []
  if (knownFingerprints.length === 0) acceptFingerprint(home_id, fingerprint)
  const isKnownKey = knownFingerprints.length === 0 || knownFingerprints.includes(fingerprint)
  $door.set({ state: isKnownKey ? 'open' : 'changed', name, home: home_id, fingerprint })
  return isKnownKey ? { ...door, fingerprint } : null
}

/** Somebody has compared the fingerprint, or it is the first of this home in this browser. */
export function acceptFingerprint(home: string, fingerprint: string): void {
  const stored = $known.get()
  $known.set({ ...stored, [home]: [...(stored[home] ?? []), fingerprint].slice(-8) })
}

function shut(door: Door): null {
  $door.set(door)
  return null
}

function isKnown(value: unknown): value is FingerprintsByHome {
  const isList = (entry: unknown) => Array.isArray(entry) && entry.every((text) => typeof text === 'string')
  return typeof value === 'object' && value !== null && Object.values(value).every(isList)
}
