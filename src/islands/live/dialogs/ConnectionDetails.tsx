import { formatCount } from '../../../domain/copy/counts.ts'
import { useStore } from '@nanostores/react'
import Download from 'lucide-react/icons/download'
import { timeLabel } from '../../../domain/time/date-formats.ts'
import type { DisplayedRendition } from '../../../media/live/quality-control.ts'
import type { RenditionReason } from '../../../media/live/quality-selection.ts'
import type { ConnectionStep, TileState } from '../../../media/live/tile-state-machine.ts'
import { $liveLogs, type CameraLogEntry } from '../../../stores/live/connection-log.ts'
import { saveDiagnostics } from '../../../stores/live/camera-diagnostics.ts'
import type { Device } from '../../../stores/home/devices.ts'
import { $tiles, getTileState } from '../../../stores/live/live-tiles.ts'
import { formatLatency } from '../parts/latency-label.ts'
import { formatStepTime, listConnectionSteps, formatRenditionName } from './connection-labels.ts'

const STEP_LABELS: Record<ConnectionStep, string> = {
  ticket: 'Stream requested',
  signalling: 'Server reached',
  answered: 'Camera responded',
  connected: 'Connected',
  'waiting-for-keyframe': 'Receiving data',
  playing: 'First frame',
}

/** Connection steps and statistics, which explain why video is slow or missing. */
export function ConnectionDetails({ camera }: { camera: Device }) {
  const { device_id } = camera
  const tile = getTileState(useStore($tiles), device_id)
  const log = useStore($liveLogs)[device_id] ?? []
  return (
    <div className="camera-section">
      <h3>Connection steps</h3>
      <ol className="steps">
        {listConnectionSteps(tile).map((step) => (
          <li key={step} data-done={tile.steps[step] !== undefined}>
            <span>{STEP_LABELS[step]}</span>
            <span>{tile.steps[step] === undefined ? 'not yet' : formatStepTime(tile.steps[step])}</span>
          </li>
        ))}
      </ol>
      <h3>Now</h3>
      <dl className="facts">
        {listConnectionFacts(tile).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {log.length > Object.keys(tile.steps).length && <ConnectionLog log={log} />}
      <footer>
        <small>Diagnostics don’t include email addresses, network addresses, or keys.</small>
        <button type="button" className="btn btn-outline" onClick={() => saveDiagnostics(camera)}>
          <Download size={18} aria-hidden="true" />
          Download diagnostics
        </button>
      </footer>
    </div>
  )
}

const MAX_LOG_ENTRIES = 12
const isConnectionStep = (name: string): name is ConnectionStep => name in STEP_LABELS
const stepLabel = (name: string) =>
  isConnectionStep(name) ? STEP_LABELS[name] : name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ')

function ConnectionLog({ log }: { log: readonly CameraLogEntry[] }) {
  return (
    <>
      <h3>Since you opened this page</h3>
      <ol className="steps">
        {log.slice(-MAX_LOG_ENTRIES).map(({ time, what: name, ms }, i) => (
          <li key={i}>
            <span>{stepLabel(name)}</span>
            <span>
              {timeLabel(time)} · {formatStepTime(ms)}
            </span>
          </li>
        ))}
      </ol>
    </>
  )
}

const TRANSPORT_NAMES: Record<NonNullable<TileState['transport']>, string> = {
  webrtc: 'Direct',
  mse: 'Relayed',
  snapshot: 'Snapshots',
}

const RENDITION_REASON_TEXTS: Record<RenditionReason, string> = {
  start: 'video starts at low quality',
  pinned: 'set in this browser',
  link: 'limited by the connection',
  tile: 'matches the tile size',
  chosen: 'the maximum set by the owner',
  best: 'this camera’s maximum',
  sent: 'the best the camera sends right now',
}

function listConnectionFacts({ figures, transport }: TileState): [string, string][] {
  const size = figures && figures.height > 0 ? `${figures.width} × ${figures.height}` : 'Unknown'
  return [
    ['Connection', transport === null ? 'None yet' : TRANSPORT_NAMES[transport]],
    ['Resolution', size],
    ...(figures?.rendition ? [renditionFact(figures.rendition)] : []),
    ['Frame rate', figures ? `${Math.round(figures.fps)} fps` : 'Unknown'],
    ['Delay', figures?.latencyMs == null ? 'Unknown' : formatLatency(figures.latencyMs)],
    ['Packet loss', figures?.lost == null ? 'Unknown' : formatCount(figures.lost, 'packet')],
  ]
}

const renditionFact = ({ name, why }: DisplayedRendition): [string, string] => [
  'Video quality',
  `${formatRenditionName(name)}, ${RENDITION_REASON_TEXTS[why]}`,
]
