import { $devices } from '../../stores/home/devices.ts'
import { $playing, openLive } from '../../stores/live/live-page.ts'
import '../session/api-client.ts'
import { syncEarlyTiles } from './early-tiles.ts'

/**
 * Starts the video of /live once the current user is known: cameras connect while React still loads. React waits for
 * the first frame (boot/session/session-directive.ts) unless no camera is awake.
 */
addEventListener('porchlight:session', openLive, { once: true })
syncEarlyTiles()
const announcePictures = () => dispatchEvent(new Event('porchlight:pictures'))
$playing.listen((count) => count > 0 && announcePictures())
$devices.listen(
  (list) => 'devices' in list && !list.devices.some(({ state }) => state === 'awake') && announcePictures(),
)
