import Gauge from 'lucide-react/icons/gauge'
import Monitor from 'lucide-react/icons/monitor'
import { useId, useState, type FormEvent, type KeyboardEvent } from 'react'
import { INVALID_ADDRESS_TEXT, parseCameraAddress } from '../../../../contract/cameras/camera-address.ts'
import type { CameraStream } from '../../../../contract/cameras/camera-setup.ts'
import { splitFinishedCredentials } from '../../../domain/live/camera-credentials.ts'
import {
  changeStreams,
  type CameraCheck,
  type CheckedStreams as Streams,
} from '../../../stores/add-camera/camera-checks.ts'

type StreamKind = 'main' | 'sub'

const STREAM_NAMES = { main: 'Main stream', sub: 'Sub-stream' }
const STREAM_USES = { main: 'Clips and full screen', sub: 'Motion detection and slow connections' }
const NO_SUB_TEXT = 'Turn on the sub-stream for smoother video on slow connections.'

/** The two streams of a checked camera. Pressing a stream shows its full address to edit. */
export function CheckedStreams({ check, streams }: { check: CameraCheck; streams: Streams }) {
  const [edited, setEdited] = useState<StreamKind | null>(null)
  return (
    <div className="add-streams">
      {check.channels.length > 1 && <ChannelSelect check={check} main={streams.main.address} />}
      {(['main', 'sub'] as const).map((kind) => (
        <button
          key={kind}
          type="button"
          aria-expanded={edited === kind}
          disabled={check.state !== 'good'}
          onClick={() => setEdited(edited === kind ? null : kind)}
        >
          {kind === 'main' ? <Monitor size={20} aria-hidden="true" /> : <Gauge size={20} aria-hidden="true" />}
          <span>
            <b>{STREAM_NAMES[kind]}</b> {formatStream(streams[kind])}
            <small data-tone={streams[kind]?.problem ? 'bad' : undefined}>
              {streams[kind] ? streams[kind].problem || STREAM_USES[kind] : NO_SUB_TEXT}
            </small>
          </span>
        </button>
      ))}
      {edited && (
        <StreamForm
          key={edited}
          name={STREAM_NAMES[edited]}
          isOptional={edited === 'sub'}
          initialAddress={streams[edited]?.address ?? ''}
          save={(address) => changeStreams(check.address, { ...toAddresses(streams), [edited]: address })}
          cancel={() => setEdited(null)}
        />
      )}
    </div>
  )
}

/** Channel of a recorder, or lens of a camera. Choosing another one checks its streams. */
function ChannelSelect({ check: { address, channels, state }, main }: { check: CameraCheck; main: string }) {
  const id = useId()
  const current = channels.findIndex((channel) => channel.main === main)
  function choose(index: number) {
    const channel = channels[index]
    if (channel) changeStreams(address, channel)
  }
  return (
    <div className="add-channel">
      <label htmlFor={id}>Channel</label>
      <select
        id={id}
        value={current}
        disabled={state !== 'good'}
        onChange={({ target }) => choose(Number(target.value))}
      >
        {current === -1 && <option value={-1}>Other streams</option>}
        {channels.map((channel, i) => (
          <option key={channel.main} value={i}>
            Channel {i + 1} of {channels.length}
          </option>
        ))}
      </select>
      <small>Add each channel as a separate camera.</small>
    </div>
  )
}

const toAddresses = ({ main, sub }: Streams) => ({ main: main.address, sub: sub?.address ?? '' })

function formatStream(stream: CameraStream | null): string {
  if (!stream || stream.width === 0) return ''
  const size = stream.height === 0 ? `${stream.width} px wide` : `${stream.width} × ${stream.height}`
  return stream.fps > 0 ? `${size}, ${stream.fps} fps` : size
}

interface StreamFormProps {
  name: string
  isOptional: boolean
  initialAddress: string
  save: (address: string) => void
  cancel: () => void
}

/** Escape closes only this form, not the card. */
function StreamForm({ name, isOptional, initialAddress, save, cancel }: StreamFormProps) {
  const id = useId()
  const [address, setAddress] = useState(initialAddress)
  const [isInvalid, setInvalid] = useState(false)
  function submit(event: FormEvent) {
    event.preventDefault()
    const typed = address.trim()
    const parsed = parseCameraAddress(splitFinishedCredentials(typed)?.address ?? typed)
    if (isOptional && typed === '') save('')
    else if (parsed?.kind === 'stream') save(parsed.url)
    else setInvalid(true)
  }
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    cancel()
  }
  return (
    <form className="add-stream-form" onSubmit={submit} onKeyDown={handleKey} noValidate>
      <label htmlFor={id}>{name} address</label>
      <input
        id={id}
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        placeholder="rtsp://192.168.1.20:554/stream2"
        aria-invalid={isInvalid || undefined}
        aria-describedby={isInvalid ? `${id}-error` : undefined}
        value={address}
        onChange={({ target }) => setAddress(target.value)}
      />
      <button type="submit" className="btn btn-white btn-sm">
        Check
      </button>
      {isInvalid && (
        <p id={`${id}-error`} className="add-failed" role="alert">
          {INVALID_ADDRESS_TEXT}
        </p>
      )}
    </form>
  )
}
