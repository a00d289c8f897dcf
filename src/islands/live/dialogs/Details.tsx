import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { STEPS, type Step, type Tile } from '../../../media/tile-machine.ts'
import { $liveLogs, type CameraLogEntry } from '../../../stores/camera-log.ts'
import { saveDiagnostics } from '../../../stores/camera-diagnostics.ts'
import type { Device } from '../../../stores/devices.ts'
import { $tiles, tileOf } from '../../../stores/live-tiles.ts'
import { $streams } from '../../../stores/live-streams.ts'
import { latencyText } from '../parts/words.ts'

const STEP_WORDS: Record<Step, string> = {
  ticket: 'Asked for the stream',
  signalling: 'Reached the signalling channel',
  answered: 'Answered by the camera',
  connected: 'Connected',
  'waiting-for-keyframe': 'First data',
  playing: 'First picture',
}

/** How the picture comes, step by step, for who wants to know why it is slow or missing. */
export function Details({ camera }: { camera: Device }) {
  const { device_id } = camera
  const tile = tileOf(useStore($tiles), device_id)
  const stream = useStore($streams)[device_id]
  const log = useStore($liveLogs)[device_id] ?? []
  return (
    <div className="camera-section">
      <h3>How it connected</h3>
      <ol className="steps">
        {STEPS.map((step) => (
          <li key={step} data-done={tile.steps[step] !== undefined}>
            <span>{STEP_WORDS[step]}</span>
            <span>{tile.steps[step] === undefined ? 'not yet' : `${tile.steps[step]} ms`}</span>
          </li>
        ))}
      </ol>
      <h3>Now</h3>
      <dl className="facts">
        {factsOf(tile, stream?.rendition).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {log.length > Object.keys(tile.steps).length && <History log={log} />}
      <footer>
        <small>The file names no address, ticket or e-mail.</small>
        <button type="button" className="btn btn-outline" onClick={() => saveDiagnostics(camera)}>
          <Download size={18} aria-hidden="true" />
          Save diagnostic file
        </button>
      </footer>
    </div>
  )
}

const SHOWN = 12
const isStep = (what: string): what is Step => what in STEP_WORDS
const wordOf = (what: string) =>
  isStep(what) ? STEP_WORDS[what] : what.charAt(0).toUpperCase() + what.slice(1).replaceAll('-', ' ')

/** What happened since the page was opened, where there was more than one way to a picture; the newest is the last. */
function History({ log }: { log: readonly CameraLogEntry[] }) {
  return (
    <>
      <h3>Since this page was opened</h3>
      <ol className="steps">
        {log.slice(-SHOWN).map(({ time, what, ms }, i) => (
          <li key={i}>
            <span>{wordOf(what)}</span>
            <span>
              {new Date(time).toLocaleTimeString('en-GB')} · {ms} ms
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

const TRANSPORTS: Record<NonNullable<Tile['transport']>, string> = {
  webrtc: 'WebRTC',
  mse: 'Relay through the server',
  snapshot: 'Single pictures',
}

function factsOf({ figures, transport }: Tile, rendition: string | undefined): [string, string][] {
  const size = figures && figures.height > 0 ? `${figures.width} × ${figures.height}` : 'none yet'
  return [
    ['Transport', transport === null ? 'none yet' : TRANSPORTS[transport]],
    ['Rendition', rendition ? `${rendition} chosen, ${size}` : size],
    ['Frames a second', figures ? String(Math.round(figures.fps)) : 'none yet'],
    ['Delay', figures?.latencyMs == null ? 'not known' : latencyText(figures.latencyMs)],
    ['Packets lost', figures?.lost == null ? 'not known' : String(figures.lost)],
  ]
}
