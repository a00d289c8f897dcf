import { atom } from 'nanostores'
import type { CameraAnswer, CheckStep } from '../../../contract/cameras/camera-setup.ts'
import { extractHost, type TypedCamera } from '../../domain/live/camera-credentials.ts'
import { $devices, reloadDevices } from '../home/devices.ts'
import { sendSealedRequest } from './sealed-requests.ts'

export interface CameraCheckStep {
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  /** Time since the start of the check, ms. */
  readonly ms: number
  readonly words: string
}

/** Check of one address. It holds no password: passwords stay in `typed`, which is never logged or stored. */
export interface Check {
  /** Address of the camera; one check per address. */
  readonly address: string
  readonly host: string
  readonly user: string
  readonly name: string
  readonly state: 'checking' | 'good' | 'bad' | 'adding' | 'added'
  readonly steps: Readonly<Record<CheckStep, CameraCheckStep>>
  /** Data URL of the first frame; '' before it arrives. */
  readonly picture: string
  /** Time from the button press to the first frame, ms. */
  readonly pictureMs: number
  /** Reason for a failure that no step explains; '' if there is none. */
  readonly words: string
  /** Number of logins that this camera has rejected on this page. */
  readonly refusals: number
}

export const $checks = atom<readonly Check[]>([])

const UNLISTED = 'The camera is added, but the list of your cameras did not load. Reload the page to see it.'

const typed = new Map<string, TypedCamera>()
const WAITING: CameraCheckStep = { state: 'waiting', ms: 0, words: '' }
const ALL_WAITING = { reachable: WAITING, signed_in: WAITING, picture: WAITING, sound: WAITING }

/** Checks a camera address. Does nothing while the address is being checked or its camera is being added. */
export async function checkCamera(camera: TypedCamera, name = ''): Promise<void> {
  const address = camera.address.trim()
  const before = $checks.get().find((check) => check.address === address)
  if (before?.state === 'checking' || before?.state === 'adding') return
  typed.set(address, { ...camera, address })
  const host = extractHost(address)
  const newCheck: Check = {
    ...{ address, host, user: camera.user, name: name || before?.name || `Camera ${host}`.slice(0, 60) },
    ...{ state: 'checking', steps: ALL_WAITING, picture: '', pictureMs: 0, words: '', refusals: before?.refusals ?? 0 },
  }
  $checks.set([newCheck, ...$checks.get().filter((check) => check.address !== address)])
  const began = performance.now()
  const words = await sendSealedRequest({ ask: 'check', ...camera, address }, (answer) => {
    change(address, (check) => applyAnswer(check, answer, performance.now() - began))
  })
  change(address, (check) => {
    const isGood = words === '' && check.steps.picture.state === 'done'
    const newRefusals = check.steps.signed_in.state === 'failed' ? 1 : 0
    return { ...check, words, state: isGood ? 'good' : 'bad', refusals: check.refusals + newRefusals }
  })
}

export function checkAgain(address: string): void {
  const camera = typed.get(address)
  if (camera) void checkCamera(camera)
}

/** Returns the form input of a check, so that the user can correct it. */
export const typedFor = (address: string): TypedCamera | undefined => typed.get(address)

/** Registers a camera after a successful check. Once the camera is in the list, its live video replaces the check. */
export async function addChecked(address: string, name: string): Promise<void> {
  const camera = typed.get(address)
  if (!camera) return
  change(address, (check) => ({ ...check, name, state: 'adding', words: '' }))
  let device = ''
  const words = await sendSealedRequest({ ask: 'add', ...camera, name }, (answer) => {
    if (answer.answer === 'added') device = answer.device_id
  })
  if (words !== '' || device === '') return change(address, (check) => ({ ...check, words, state: 'good' }))
  typed.delete(address)
  change(address, (check) => ({ ...check, state: 'added' }))
  await reloadDevices()
  const devices = $devices.get()
  if ('devices' in devices && devices.devices.some(({ device_id }) => device_id === device))
    return $checks.set($checks.get().filter((check) => check.address !== address))
  change(address, (check) => ({ ...check, words: UNLISTED }))
}

function change(address: string, by: (check: Check) => Check): void {
  $checks.set($checks.get().map((check) => (check.address === address ? by(check) : check)))
}

/** Applies one response of the bridge to a check and returns the result. `sinceMs`: time since the button press. */
function applyAnswer(check: Check, answer: CameraAnswer, sinceMs: number): Check {
  if (answer.answer === 'picture')
    return { ...check, picture: `data:image/jpeg;base64,${answer.jpeg}`, pictureMs: sinceMs }
  if (answer.answer !== 'step') return check
  const { step, state, ms, words } = answer
  return { ...check, steps: { ...check.steps, [step]: { state, ms, words } } }
}
