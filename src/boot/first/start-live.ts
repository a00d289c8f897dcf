import { openLive } from '../../stores/live/live-page.ts'
import '../session/connected.ts'
import { followEarlyTiles } from './early-tiles.ts'

/** Starts the pictures of /live once it is known who is signed in: cameras connect while React is still on its way. */
addEventListener('porchlight:session', openLive, { once: true })
followEarlyTiles()
