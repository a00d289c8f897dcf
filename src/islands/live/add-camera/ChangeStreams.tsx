import { useStore } from '@nanostores/react'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { parseCameraAddress } from '../../../../contract/cameras/camera-address.ts'
import { splitFinishedCredentials } from '../../../domain/live/camera-credentials.ts'
import {
  $storedStreams,
  changeStoredStreams,
  closeStoredStreams,
  loadStoredStreams,
  type StoredStreams,
  type StoredStreamsState,
  type StreamChange,
} from '../../../stores/add-camera/stored-streams.ts'
import { $hasUnsavedChanges } from '../../../stores/live/camera-dialog.ts'
import { showToast } from '../../../stores/shell/toasts.ts'
import { Field } from '../../../ui/Field.tsx'
import { CameraImage, CheckSteps } from './CheckCard.tsx'
import { EncryptionNote } from './EncryptionNote.tsx'
import { NO_PASSWORD_MANAGER } from './no-password-manager.ts'

interface ChangeStreamsProps {
  deviceId: string
  close: () => void
}

/** Form for the addresses of both streams of a stored camera. New addresses are checked before they are stored. */
export function ChangeStreams({ deviceId, close }: ChangeStreamsProps) {
  const stored = useStore($storedStreams)
  useEffect(() => {
    void loadStoredStreams(deviceId)
    return closeStoredStreams
  }, [deviceId])
  return (
    <section className="change-streams" aria-label="Streams">
      {stored.state === 'loading' && <p className="text-small">Loading…</p>}
      {stored.state === 'failed' && (
        <>
          <p className="add-field-error" role="alert">
            {stored.words}
          </p>
          <button type="button" className="btn btn-sm btn-outline" onClick={() => void loadStoredStreams(deviceId)}>
            Try again
          </button>
        </>
      )}
      {'streams' in stored && <StreamsForm deviceId={deviceId} stored={stored} close={close} />}
      <EncryptionNote />
    </section>
  )
}

type LoadedState = Extract<StoredStreamsState, { streams: StoredStreams }>
type StreamField = 'main' | 'sub'

function StreamsForm({ deviceId, stored, close }: ChangeStreamsProps & { stored: LoadedState }) {
  const { state, streams, check, words } = stored
  const [typed, setTyped] = useState<StreamChange>({ ...streams, user: '', password: '' })
  const [invalid, setInvalid] = useState<readonly StreamField[]>([])
  const formRef = useRef<HTMLFormElement>(null)
  const isBusy = state !== 'ready'
  const hasChanges =
    typed.main !== streams.main || typed.sub !== streams.sub || typed.user !== '' || typed.password !== ''
  useUnsavedChanges(hasChanges)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (isBusy || !hasChanges) return
    const change = separateLogin(typed)
    const wrong = (['main', 'sub'] as const).filter((field) => !isStreamValid(field, change[field]))
    setTyped(change)
    setInvalid(wrong)
    if (wrong[0]) return formRef.current?.querySelector<HTMLInputElement>(`[name="${wrong[0]}"]`)?.focus()
    if (!(await changeStoredStreams(deviceId, change))) return
    showToast('success', 'Streams changed')
    close()
  }
  const bind = (name: keyof StreamChange) => ({
    ...NO_PASSWORD_MANAGER,
    name,
    value: typed[name],
    disabled: isBusy,
    onChange: ({ target }: { target: HTMLInputElement }) => setTyped({ ...typed, [name]: target.value }),
  })
  const error = (field: StreamField) => (invalid.includes(field) ? INVALID_STREAM_TEXT : null)
  return (
    <>
      <form ref={formRef} className="settings-form" noValidate onSubmit={(event) => void submit(event)}>
        <Field label="Main stream address" inputMode="url" error={error('main')} {...bind('main')} />
        <Field
          label="Sub-stream address"
          inputMode="url"
          hint="Optional. For motion detection and slow connections."
          error={error('sub')}
          {...bind('sub')}
        />
        <div className="add-login">
          <Field label="Username" {...bind('user')} />
          <Field label="Password" type="password" {...bind('password')} />
        </div>
        <p className="text-small">
          Leave the username and password empty to use the saved login. For a different device, enter its login.
        </p>
        <footer>
          <button type="button" className="btn btn-outline" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="btn btn-primary" disabled={!hasChanges} aria-disabled={isBusy}>
            {state === 'checking' ? 'Checking…' : state === 'saving' ? 'Saving…' : 'Check and save'}
          </button>
        </footer>
      </form>
      {check && (
        <article className="add-check" aria-label="Check results for the new streams" aria-busy={state === 'checking'}>
          <CameraImage check={check} />
          <div className="add-steps">
            <CheckSteps check={check} />
            {words !== '' && (
              <p className="add-failed" role="alert">
                {words}
              </p>
            )}
            {state === 'ready' && <p>Your camera keeps its current streams.</p>}
          </div>
        </article>
      )}
    </>
  )
}

const INVALID_STREAM_TEXT = 'Enter an address like rtsp://192.168.1.20:554/stream1.'

/** Moves a login out of the addresses into its own fields. */
function separateLogin(typed: StreamChange): StreamChange {
  const [main, sub] = [splitFinishedCredentials(typed.main), splitFinishedCredentials(typed.sub)]
  const { user, password } = main ?? sub ?? typed
  return { main: main?.address ?? typed.main.trim(), sub: sub?.address ?? typed.sub.trim(), user, password }
}

const isStreamValid = (field: StreamField, address: string) =>
  (field === 'sub' && address === '') || (/^rtsps?:/i.test(address) && parseCameraAddress(address)?.kind === 'stream')

function useUnsavedChanges(hasChanges: boolean): void {
  useEffect(() => {
    $hasUnsavedChanges.set(hasChanges)
    return () => $hasUnsavedChanges.set(false)
  }, [hasChanges])
}
