import { useStore } from '@nanostores/react'
import Scan from 'lucide-react/icons/scan'
import X from 'lucide-react/icons/x'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { OWNER_ROLE } from '../../../../contract/auth/roles.ts'
import { formatNumber } from '../../../domain/copy/counts.ts'
import { type BusyCamera, findBusyCamera } from '../../../domain/events/busy-camera.ts'
import { $eventCameras } from '../../../stores/events/event-cameras.ts'
import { $eventFilter } from '../../../stores/events/event-url.ts'
import { $events } from '../../../stores/events/events.ts'
import {
  $lacksZone,
  $zoneDismissals,
  dismissZoneSuggestion,
  loadHasZone,
} from '../../../stores/events/zone-suggestion.ts'
import { useNow } from '../../../ui/use-now.ts'

interface ZoneSuggestion extends BusyCamera {
  readonly text: string
}

/**
 * Returns the user's busiest camera in the list that has no motion zone; null if no camera is that busy, or if the user
 * dismissed the suggestion.
 */
export function useZoneSuggestion(): ZoneSuggestion | null {
  const events = useDeferredValue(useStore($events))
  const cameras = useStore($eventCameras)
  // Deferred, because the search for a busy camera scans the list, and the filtered list is painted first.
  const { cameras: chosen } = useDeferredValue(useStore($eventFilter))
  const dismissals = useStore($zoneDismissals)
  const lacksZone = useStore($lacksZone)
  const now = useNow()
  const busy = useMemo(() => {
    if (events.state !== 'ready') return null
    const candidates = cameras.filter(
      ({ device_id, user_role }) =>
        user_role === OWNER_ROLE &&
        (chosen.length === 0 || chosen.includes(device_id)) &&
        (dismissals[device_id] ?? 0) <= now &&
        lacksZone.get(device_id) !== false,
    )
    return findBusyCamera(
      events.events,
      candidates.map(({ device_id }) => device_id),
      now,
    )
  }, [events, cameras, chosen, dismissals, lacksZone, now])
  const deviceId = busy?.deviceId
  useEffect(() => {
    if (deviceId) void loadHasZone(deviceId)
  }, [deviceId])
  if (!busy || !lacksZone.get(busy.deviceId)) return null
  const rate = `${formatNumber(busy.clipsPerHour)} clips in an hour`
  const name = cameras.find(({ device_id }) => device_id === busy.deviceId)?.nickname ?? ''
  return { ...busy, text: cameras.length === 1 || chosen.length === 1 ? rate : `${name}: ${rate}` }
}

/** Fact that offers a motion zone for a busy camera. */
export function ZoneFact({ suggestion: { deviceId, text } }: { suggestion: ZoneSuggestion }) {
  return (
    <div className="zone-fact">
      <dt title={text}>{text}</dt>
      <dd>
        <DismissButton deviceId={deviceId} />
      </dd>
      <dd>Monitor a smaller area to see fewer clips.</dd>
      <dd>
        <ZoneLink deviceId={deviceId} />
      </dd>
    </div>
  )
}

/** Hint over the end of a phone's list that offers a motion zone for a busy camera. It moves nothing when it appears. */
export function ZoneHint() {
  const suggestion = useZoneSuggestion()
  if (!suggestion) return null
  return (
    <div className="zone-hint" role="group" aria-label="Motion zone">
      <Scan size={20} aria-hidden />
      <p>
        <b>{suggestion.text}.</b> Monitor a smaller area?
      </p>
      <ZoneLink deviceId={suggestion.deviceId} />
      <DismissButton deviceId={suggestion.deviceId} />
    </div>
  )
}

const ZoneLink = ({ deviceId }: { deviceId: string }) => (
  <a className="btn btn-soft btn-sm" href={`/live?camera=${encodeURIComponent(deviceId)}&settings=1`}>
    <Scan size={16} aria-hidden />
    Set a zone
  </a>
)

const DismissButton = ({ deviceId }: { deviceId: string }) => (
  <button
    type="button"
    className="icon-btn"
    aria-label="Dismiss for 30 days"
    title="Dismiss for 30 days"
    onClick={() => dismissZoneSuggestion(deviceId)}
  >
    <X size={16} aria-hidden />
  </button>
)
