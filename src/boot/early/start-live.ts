import { $devices } from '../../stores/home/devices.ts'
import { $playingCount, openLivePage } from '../../stores/live/live-page.ts'
import '../session/api-client.ts'
import { syncEarlyTiles } from './early-tiles.ts'

/**
 * Starts the video of /live once the current user is known: cameras connect while React still loads. React waits for
 * the first frame (boot/session/session-directive.ts) unless no camera is awake.
 */
addEventListener('porchlight:session', openLivePage, { once: true })
syncEarlyTiles()
const dispatchPicturesEvent = () => dispatchEvent(new Event('porchlight:pictures'))
$playingCount.listen((count) => count > 0 && dispatchPicturesEvent())
$devices.listen(
  (list) => 'devices' in list && !list.devices.some(({ state }) => state === 'awake') && dispatchPicturesEvent(),
)
