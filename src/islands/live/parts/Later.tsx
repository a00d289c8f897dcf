/** Parts of the page that load after the first frames, in one chunk. */
export { DayStrip } from './DayStrip.tsx'
export { EmptyHome } from './EmptyHome.tsx'
export { Extras } from './Extras.tsx'
export { Failed } from './Failed.tsx'
export { LaterCamera } from './LaterCamera.tsx'
export { Today } from './Today.tsx'
