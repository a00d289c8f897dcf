import { atom } from 'nanostores'
import {
  CHECK_STEPS,
  type CameraAnswer,
  type CameraChannel,
  type CameraStream,
  type CheckStep,
} from '../../../contract/cameras/camera-setup.ts'
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
  /** Address as the owner typed it in the form; one check per address. */
  readonly address: string
  /** Streams that the hub found or tried; undefined before. */
  readonly streams: CheckedStreams | undefined
  /** Channels of a device that has several, such as a recorder. */
  readonly channels: readonly CameraChannel[]
  /** Brand that the camera has named; '' if unknown. */
  readonly brand: string
  /** Number of the attempt; answers to an earlier one are ignored. */
  readonly run: number
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

export interface CheckedStreams {
  readonly main: CameraStream
  readonly sub: CameraStream | null
}

/** Input of the form. `brand`: id of the chosen brand, or ''. */
export interface TypedCamera extends CameraCredentials {
  readonly brand?: string
}

/** Input of a check. After the owner has edited the streams, `address` is that of the main stream. */
export interface CheckInput extends TypedCamera {
  readonly sub?: string
}

export const $cameraChecks = atom<readonly CameraCheck[]>([])

const LIST_NOT_LOADED_TEXT =
  'The camera was added, but your camera list didn’t load. Reload the page to see the camera.'

const typedCameras = new Map<string, TypedCamera>()
const checkInputs = new Map<string, CheckInput>()
let runs = 0
const WAITING_STEP: CameraCheckStep = { state: 'waiting', ms: 0, words: '' }
const WAITING_STEPS = { reachable: WAITING_STEP, signed_in: WAITING_STEP, picture: WAITING_STEP, sound: WAITING_STEP }

/**
 * Checks a camera address on the bridge. Does nothing if a check of this address, or the addition of its camera, is in
 * progress.
 */
export async function checkCamera(camera: TypedCamera, name = ''): Promise<void> {
  const address = camera.address.trim()
  if (isBusy(address)) return
  typedCameras.set(address, { ...camera, address })
  await runCheck(address, { ...camera, address }, name)
}

async function runCheck(address: string, input: CheckInput, name = ''): Promise<void> {
  const previousCheck = findCheck(address)
  checkInputs.set(address, input)
  const run = ++runs
  const newCheck = { ...createCheck(address, input, previousCheck), run, name: name || (previousCheck?.name ?? '') }
  $cameraChecks.set([newCheck, ...$cameraChecks.get().filter((check) => check.address !== address)])
  const beganAt = performance.now()
  const problemText = await sendSealedRequest({ ask: 'check', brand: '', ...input }, (answer) => {
    updateCheck(address, run, (check) => applyBridgeResponse(check, answer, performance.now() - beganAt))
  })
  updateCheck(address, run, (check) => endCheck(check, problemText))
}

/** Creates a check before its first answer. */
export const createCheck = (address: string, input: CheckInput, previousCheck?: CameraCheck): CameraCheck => ({
  address,
  streams: undefined,
  channels: previousCheck?.channels ?? [],
  brand: input.brand ?? '',
  run: 0,
  host: extractHost(address),
  user: input.user,
  name: '',
  state: 'checking',
  steps: WAITING_STEPS,
  picture: '',
  pictureMs: 0,
  words: '',
  refusals: previousCheck?.refusals ?? 0,
})

/** Ends a check after its last answer. `problemText`: reason why the bridge did not execute it; '' if it did. */
export function endCheck(check: CameraCheck, problemText: string): CameraCheck {
  const isGood = problemText === '' && check.steps.picture.state === 'done'
  const isRejected = check.steps.signed_in.state === 'failed' && check.user !== ''
  const refusals = check.refusals + (isRejected ? 1 : 0)
  return { ...check, words: problemText, steps: endSteps(check.steps), state: isGood ? 'good' : 'bad', refusals }
}

export function repeatCheck(address: string): void {
  const input = checkInputs.get(address)
  if (input && !isBusy(address)) void runCheck(address, input)
}

/** Checks a camera again with other streams. `sub`: '' for none. */
export function changeStreams(address: string, { main, sub }: { main: string; sub: string }): void {
  const input = checkInputs.get(address)
  if (input && !isBusy(address)) void runCheck(address, { ...input, address: main, sub })
}

/** Removes a check and forgets its login. A running check on the bridge ends without being shown. */
export function closeCheck(address: string): void {
  typedCameras.delete(address)
  checkInputs.delete(address)
  $cameraChecks.set($cameraChecks.get().filter((check) => check.address !== address))
}

/** Returns the form input of a check, so that the user can correct it. */
export const getTypedCamera = (address: string): TypedCamera | undefined => typedCameras.get(address)

/**
 * Registers a checked camera. Removes the check when the camera list contains the camera. After a failure, keeps the
 * check with the reason.
 */
export async function addCheckedCamera(address: string, name: string): Promise<void> {
  const input = checkInputs.get(address)
  const check = findCheck(address)
  if (!input || !check) return
  const { run, streams } = check
  updateCheck(address, run, (entry) => ({ ...entry, name, state: 'adding', words: '' }))
  let device = ''
  const { user, password } = input
  const main = streams?.main.address ?? input.address
  const sub = streams?.sub?.problem === '' ? streams.sub.address : ''
  const camera = { address: main, user, password, ...(streams && { sub }) }
  const problemText = await sendSealedRequest({ ask: 'add', ...camera, name }, (answer) => {
    if (answer.answer === 'added') device = answer.device_id
  })
  if (problemText !== '' || device === '')
    return updateCheck(address, run, (entry) => ({ ...entry, words: problemText, state: 'good' }))
  typedCameras.delete(address)
  checkInputs.delete(address)
  updateCheck(address, run, (entry) => ({ ...entry, state: 'added' }))
  await reloadDevices()
  const devices = $devices.get()
  if ('devices' in devices && devices.devices.some(({ device_id }) => device_id === device))
    return $cameraChecks.set($cameraChecks.get().filter((entry) => entry.address !== address))
  updateCheck(address, run, (entry) => ({ ...entry, words: LIST_NOT_LOADED_TEXT }))
}

/** Resets the steps that the bridge left unfinished. */
const endSteps = (steps: CameraCheck['steps']): CameraCheck['steps'] =>
  Object.assign(
    {},
    ...CHECK_STEPS.map((step) => ({ [step]: steps[step].state === 'running' ? WAITING_STEP : steps[step] })),
  )

const findCheck = (address: string) => $cameraChecks.get().find((check) => check.address === address)

function isBusy(address: string): boolean {
  const state = findCheck(address)?.state
  return state === 'checking' || state === 'adding'
}

function updateCheck(address: string, run: number, update: (check: CameraCheck) => CameraCheck): void {
  const isCurrent = (check: CameraCheck) => check.address === address && check.run === run
  $cameraChecks.set($cameraChecks.get().map((check) => (isCurrent(check) ? update(check) : check)))
}

export function applyBridgeResponse(check: CameraCheck, answer: CameraAnswer, sinceMs: number): CameraCheck {
  if (answer.answer === 'picture')
    return { ...check, picture: `data:image/jpeg;base64,${answer.jpeg}`, pictureMs: sinceMs }
  if (answer.answer === 'streams') {
    const { main, sub, name, brand, channels = check.channels } = answer
    return { ...check, streams: { main, sub }, channels, name: check.name || name, brand: brand || check.brand }
  }
  if (answer.answer !== 'step') return check
  const { step, state, ms, words } = answer
  return { ...check, steps: { ...check.steps, [step]: { state, ms, words } } }
}
