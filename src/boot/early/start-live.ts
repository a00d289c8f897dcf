import { $devices } from '../../stores/home/devices.ts'
import { $playing, openLive } from '../../stores/live/live-page.ts'
import '../session/api-client.ts'
import { syncEarlyTiles } from './early-tiles.ts'

/**
 * Starts the pictures of /live once it is known who is signed in: cameras connect while React is still on its way, which
 * waits for the first picture (boot/session/session-directive.ts) unless no camera is awake.
 */
addEventListener('porchlight:session', openLive, { once: true })
syncEarlyTiles()
const announcePictures = () => dispatchEvent(new Event('porchlight:pictures'))
$playing.listen((count) => count > 0 && announcePictures())
$devices.listen(
  (list) => 'devices' in list && !list.devices.some(({ state }) => state === 'awake') && announcePictures(),
)
