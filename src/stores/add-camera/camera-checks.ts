import { atom } from 'nanostores'
import type { CameraAnswer, CheckStep } from '../../../contract/cameras/camera-setup.ts'
import { extractHost, type CameraCredentials } from '../../domain/live/camera-credentials.ts'
import { $devices, reloadDevices } from '../home/devices.ts'
import { sendSealedRequest } from './sealed-requests.ts'

export interface CameraCheckStep {
  readonly state: 'waiting' | 'running' | 'done' | 'failed'
  /** Time from the start of the check to the latest report about this step, ms; 0 before the first report. */
  readonly ms: number
  readonly words: string
}

/**
 * Check of one camera address. It holds no password: passwords stay in `typedCameras`, which is never logged or stored.
 */
export interface CameraCheck {
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
  /** Number of logins that this camera has rejected since the page loaded. */
  readonly refusals: number
}

export const $cameraChecks = atom<readonly CameraCheck[]>([])

const LIST_NOT_LOADED_TEXT =
  'The camera is added, but the list of your cameras did not load. Reload the page to see it.'

const typedCameras = new Map<string, CameraCredentials>()
const WAITING_STEP: CameraCheckStep = { state: 'waiting', ms: 0, words: '' }
const WAITING_STEPS = { reachable: WAITING_STEP, signed_in: WAITING_STEP, picture: WAITING_STEP, sound: WAITING_STEP }

/**
 * Checks a camera address on the bridge. Does nothing if a check of this address, or the addition of its camera, is in
 * progress.
 */
export async function checkCamera(camera: CameraCredentials, name = ''): Promise<void> {
  const address = camera.address.trim()
  const previousCheck = $cameraChecks.get().find((check) => check.address === address)
  if (previousCheck?.state === 'checking' || previousCheck?.state === 'adding') return
  typedCameras.set(address, { ...camera, address })
  const host = extractHost(address)
  const newCheck: CameraCheck = {
    address,
    host,
    user: camera.user,
    name: name || previousCheck?.name || `Camera ${host}`.slice(0, 60),
    state: 'checking',
    steps: WAITING_STEPS,
    picture: '',
    pictureMs: 0,
    words: '',
    refusals: previousCheck?.refusals ?? 0,
  }
  $cameraChecks.set([newCheck, ...$cameraChecks.get().filter((check) => check.address !== address)])
  const beganAt = performance.now()
  const problemText = await sendSealedRequest({ ask: 'check', ...camera, address }, (answer) => {
    updateCheck(address, (check) => applyBridgeResponse(check, answer, performance.now() - beganAt))
  })
  updateCheck(address, (check) => {
    const isGood = problemText === '' && check.steps.picture.state === 'done'
    const newRejections = check.steps.signed_in.state === 'failed' ? 1 : 0
    return { ...check, words: problemText, state: isGood ? 'good' : 'bad', refusals: check.refusals + newRejections }
  })
}

export function repeatCheck(address: string): void {
  const camera = typedCameras.get(address)
  if (camera) void checkCamera(camera)
}

/** Returns the form input of a check, so that the user can correct it. */
export const getTypedCamera = (address: string): CameraCredentials | undefined => typedCameras.get(address)

/**
 * Registers a checked camera. Removes the check when the camera list contains the camera. After a failure, keeps the
 * check with the reason.
 */
export async function addCheckedCamera(address: string, name: string): Promise<void> {
  const camera = typedCameras.get(address)
  if (!camera) return
  updateCheck(address, (check) => ({ ...check, name, state: 'adding', words: '' }))
  let device = ''
  const problemText = await sendSealedRequest({ ask: 'add', ...camera, name }, (answer) => {
    if (answer.answer === 'added') device = answer.device_id
  })
  if (problemText !== '' || device === '')
    return updateCheck(address, (check) => ({ ...check, words: problemText, state: 'good' }))
  typedCameras.delete(address)
  updateCheck(address, (check) => ({ ...check, state: 'added' }))
  await reloadDevices()
  const devices = $devices.get()
  if ('devices' in devices && devices.devices.some(({ device_id }) => device_id === device))
    return $cameraChecks.set($cameraChecks.get().filter((check) => check.address !== address))
  updateCheck(address, (check) => ({ ...check, words: LIST_NOT_LOADED_TEXT }))
}

function updateCheck(address: string, update: (check: CameraCheck) => CameraCheck): void {
  $cameraChecks.set($cameraChecks.get().map((check) => (check.address === address ? update(check) : check)))
}

function applyBridgeResponse(check: CameraCheck, answer: CameraAnswer, sinceMs: number): CameraCheck {
  if (answer.answer === 'picture')
    return { ...check, picture: `data:image/jpeg;base64,${answer.jpeg}`, pictureMs: sinceMs }
  if (answer.answer !== 'step') return check
  const { step, state, ms, words } = answer
  return { ...check, steps: { ...check.steps, [step]: { state, ms, words } } }
}
