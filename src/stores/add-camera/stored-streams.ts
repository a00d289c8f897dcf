import { atom } from 'nanostores'
import { applyBridgeResponse, createCheck, endCheck, type CameraCheck } from './camera-checks.ts'
import { sendSealedRequest } from './sealed-requests.ts'

/** Addresses of a stored camera, without login. `sub`: '' if it has no sub-stream. */
export interface StoredStreams {
  readonly main: string
  readonly sub: string
}

/** New addresses of a stored camera. The bridge uses the stored login if `user` and `password` are ''. */
export interface StreamChange extends StoredStreams {
  readonly user: string
  readonly password: string
}

/** `check`: last check of new addresses; null before. `words`: reason why the streams did not change; '' if none. */
export type StoredStreamsState =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly words: string }
  | {
      readonly state: 'ready' | 'checking' | 'saving'
      readonly streams: StoredStreams
      readonly check: CameraCheck | null
      readonly words: string
    }

export const $storedStreams = atom<StoredStreamsState>({ state: 'loading' })

/** Answers to an earlier run, such as that of another camera, are ignored. */
let latestRun = 0
const NO_ANSWER_TEXT = 'Your hub didn’t send the stream addresses. Try again.'

/** Loads the addresses of a camera from its bridge. */
export async function loadStoredStreams(deviceId: string): Promise<void> {
  const run = ++latestRun
  $storedStreams.set({ state: 'loading' })
  let streams: StoredStreams | null = null
  const words = await sendSealedRequest({ ask: 'streams', device_id: deviceId }, (answer) => {
    if (answer.answer === 'stored') streams = { main: answer.main, sub: answer.sub }
  })
  if (run !== latestRun) return
  $storedStreams.set(
    words === '' && streams
      ? { state: 'ready', streams, check: null, words: '' }
      : { state: 'failed', words: words || NO_ANSWER_TEXT },
  )
}

/**
 * Checks new addresses on the bridge of the camera, and stores them if both streams work. Otherwise, the camera keeps
 * its streams. Returns true if the addresses are stored.
 */
export async function changeStoredStreams(deviceId: string, change: StreamChange): Promise<boolean> {
  const { main: address, sub, user, password } = change
  const before = $storedStreams.get()
  if (before.state !== 'ready') return false
  const run = ++latestRun
  const update = (next: Partial<typeof before>) => {
    if (run === latestRun) $storedStreams.set({ ...before, words: '', check, ...next })
  }
  const camera = { device_id: deviceId, address, sub, user, password }
  let check = createCheck(address, camera, before.check ?? undefined)
  update({ state: 'checking' })
  const beganAt = performance.now()
  const problemText = await sendSealedRequest({ ask: 'check', brand: '', ...camera }, (answer) => {
    check = applyBridgeResponse(check, answer, performance.now() - beganAt)
    update({ state: 'checking' })
  })
  if (run !== latestRun) return false
  check = endCheck(check, problemText)
  const subProblem = check.streams?.sub?.problem ?? ''
  if (check.state !== 'good' || subProblem !== '') {
    update({ state: 'ready', words: subProblem === '' ? '' : `Sub-stream: ${subProblem}` })
    return false
  }
  update({ state: 'saving' })
  const saveProblem = await sendSealedRequest({ ask: 'change', ...camera }, () => undefined)
  update({ state: 'ready', words: saveProblem, ...(saveProblem === '' && { streams: { main: address, sub } }) })
  return saveProblem === '' && run === latestRun
}

/** Forgets the check of a closed form. A running check on the bridge ends without being shown. */
export function closeStoredStreams(): void {
  latestRun++
  $storedStreams.set({ state: 'loading' })
}
