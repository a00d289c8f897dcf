/** Parts of a tile that load after the first frames, in one chunk with `Later.tsx`. */
export { Controls } from './Controls.tsx'
export { Inset } from './Inset.tsx'
export { Middle } from './Middle.tsx'
export { StatePill } from './StatePill.tsx'
export { TileLine } from './TileLine.tsx'
