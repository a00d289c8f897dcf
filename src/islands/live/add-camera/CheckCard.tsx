import Check from 'lucide-react/icons/check'
import KeyRound from 'lucide-react/icons/key-round'
import Pen from 'lucide-react/icons/pen'
import Plus from 'lucide-react/icons/plus'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import VideoOff from 'lucide-react/icons/video-off'
import X from 'lucide-react/icons/x'
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react'
import { CHECK_STEPS, type CheckStep } from '../../../../contract/cameras/camera-setup.ts'
import {
  addCheckedCamera,
  repeatCheck,
  type CameraCheck as Checked,
  type CameraCheckStep,
} from '../../../stores/add-camera/camera-checks.ts'
import { CheckedStreams } from './CheckedStreams.tsx'

const STEP_NAMES: Record<CheckStep, string> = {
  reachable: 'Network',
  signed_in: 'Login',
  picture: 'Video',
  sound: 'Sound',
}

interface CheckCardProps {
  check: Checked
  editAddress: (isLoginRejected: boolean) => void
  close: () => void
}

/** One camera check: image, progress of its steps, streams, and buttons for the next action. Escape closes it. */
export function CheckCard({ check, editAddress, close }: CheckCardProps) {
  const id = useId()
  const { host, state, streams, steps } = check
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented || state === 'adding') return
    event.preventDefault()
    event.stopPropagation()
    close()
  }
  return (
    <article className="add-check" aria-labelledby={id} aria-busy={state === 'checking'} onKeyDown={handleKey}>
      <CameraImage check={check} />
      <div className="add-steps">
        <header>
          <h3 id={id}>{host}</h3>
          <CheckVerdict state={state} />
          <button
            type="button"
            className="icon-btn"
            aria-label={`Close ${host}`}
            title="Close"
            disabled={state === 'adding'}
            onClick={close}
          >
            <X size={18} aria-hidden="true" />
          </button>
        </header>
        <CheckSteps check={check} />
      </div>
      {streams && state !== 'bad' && steps.picture.state === 'done' && (
        <CheckedStreams check={check} streams={streams} />
      )}
      <footer>
        {state === 'bad' && <RetryActions check={check} editAddress={editAddress} />}
        {(state === 'good' || state === 'adding' || state === 'added') && <NameAndAdd check={check} />}
      </footer>
    </article>
  )
}

/** Steps of a check, and the reason for a failure that no step explains. */
export function CheckSteps({ check: { state, steps, words } }: { check: Checked }) {
  return (
    <>
      <ol aria-live="polite">
        {CHECK_STEPS.map((step) => (
          <CheckStepRow key={step} name={STEP_NAMES[step]} step={steps[step]} isFinished={state !== 'checking'} />
        ))}
      </ol>
      {words !== '' && (
        <p className="add-failed" role="alert">
          {words}
        </p>
      )}
    </>
  )
}

export function CameraImage({ check }: { check: Checked }) {
  const { picture, pictureMs, host, state, steps } = check
  if (picture !== '')
    return (
      <div className="add-picture">
        <img src={picture} alt={`Snapshot from the camera at ${host}`} />
        <span className="pill">First frame after {(pictureMs / 1000).toFixed(1)} s</span>
      </div>
    )
  const isLoginRejected = steps.signed_in.state === 'failed'
  return (
    <div className="add-picture" data-empty="true">
      {state === 'checking' && <span className="spinner" aria-hidden="true" />}
      {state === 'bad' &&
        (isLoginRejected ? <KeyRound size={28} aria-hidden="true" /> : <VideoOff size={28} aria-hidden="true" />)}
      {state === 'bad' && <CheckFailure check={check} />}
    </div>
  )
}

/** Headline and sentence for the step that failed. The row of the step has the exact reason. */
function CheckFailure({ check: { steps, user } }: { check: Checked }) {
  const failedStep = CHECK_STEPS.find((step) => steps[step].state === 'failed')
  const [title, text] =
    failedStep === 'signed_in'
      ? user === ''
        ? ['Login needed', '']
        : ['Wrong username or password', `The camera responded but rejected the login for “${user}”.`]
      : failedStep === 'reachable'
        ? ['Couldn’t connect', 'Your hub couldn’t reach an RTSP camera at this address.']
        : failedStep === 'picture'
          ? ['No video', 'Your hub connected to the camera but couldn’t get video.']
          : ['Check incomplete', '']
  return (
    <>
      <b>{title}</b>
      {text !== '' && <span>{text}</span>}
    </>
  )
}

function CheckVerdict({ state }: { state: Checked['state'] }) {
  if (state === 'checking') return null
  if (state === 'bad')
    return (
      <span className="add-verdict" data-tone="bad">
        <X size={14} aria-hidden="true" />
        Failed
      </span>
    )
  return (
    <span className="add-verdict" data-tone="good">
      <Check size={14} aria-hidden="true" />
      All good
    </span>
  )
}

function CheckStepRow({ name, step, isFinished }: { name: string; step: CameraCheckStep; isFinished: boolean }) {
  const { state, ms, words } = step
  const seconds = ms < 100 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`
  return (
    <li data-state={state}>
      <i aria-hidden="true">
        {state === 'done' && <Check size={14} />}
        {state === 'failed' && <X size={14} />}
      </i>
      <b>
        {name}
        <span className="sr-only">{`: ${STEP_STATE_NAMES[state]}`}</span>
      </b>
      <small aria-hidden="true">
        {state === 'waiting' ? 'waiting' : state === 'running' && !isFinished ? 'now' : seconds}
      </small>
      {words !== '' && <span>{words}</span>}
    </li>
  )
}

const STEP_STATE_NAMES = { waiting: 'waiting', running: 'in progress', done: 'done', failed: 'failed' }

function RetryActions({ check, editAddress }: Pick<CheckCardProps, 'check' | 'editAddress'>) {
  const isLoginRejected = check.steps.signed_in.state === 'failed'
  return (
    <>
      <button type="button" className="btn btn-white" onClick={() => editAddress(isLoginRejected)}>
        {isLoginRejected ? <KeyRound size={16} aria-hidden="true" /> : <Pen size={16} aria-hidden="true" />}
        {isLoginRejected ? 'Change login' : 'Change address'}
      </button>
      <button type="button" className="btn btn-dark" onClick={() => repeatCheck(check.address)}>
        <RotateCcw size={16} aria-hidden="true" />
        Try again
      </button>
      {isLoginRejected && check.refusals > 0 && (
        <small>Failed attempts: {check.refusals}. Some cameras lock you out after 5.</small>
      )}
    </>
  )
}

function NameAndAdd({ check }: { check: Checked }) {
  const [name, setName] = useState(check.name)
  const id = useId()
  const isBusy = check.state !== 'good'
  const isReady = check.state === 'added' && check.words !== ''
  const added = isReady ? 'Added' : 'Waiting for video…'
  function add(event: FormEvent) {
    event.preventDefault()
    if (!isBusy && name.trim() !== '') void addCheckedCamera(check.address, name.trim())
  }
  return (
    <form onSubmit={add}>
      <div className="add-name">
        <label htmlFor={id}>Camera name</label>
        <input
          id={id}
          value={name}
          placeholder="Front door"
          maxLength={60}
          required
          onChange={({ target }) => setName(target.value)}
        />
      </div>
      <button
        type="submit"
        className="btn btn-primary"
        aria-disabled={isBusy || undefined}
        aria-busy={(isBusy && !isReady) || undefined}
      >
        {isReady && <Check size={18} aria-hidden="true" />}
        {isBusy && !isReady && <span className="spinner" aria-hidden="true" />}
        {!isBusy && <Plus size={18} aria-hidden="true" />}
        {check.state === 'added' ? added : isBusy ? 'Adding…' : 'Add this camera'}
      </button>
    </form>
  )
}
