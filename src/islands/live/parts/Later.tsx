/** What can wait until the first pictures play, in a file of its own. */
export { Controls } from './Controls.tsx'
export { DayStrip } from './DayStrip.tsx'
export { EmptyHome } from './EmptyHome.tsx'
export { Extras } from './Extras.tsx'
export { Middle } from './Middle.tsx'
export { StatePill } from './StatePill.tsx'
export { TileLine } from './TileLine.tsx'
export { Today } from './Today.tsx'
