/** Parts of a tile that load after the first frames, in one chunk with `deferred-parts.tsx`. */
export { Controls } from './TileControls.tsx'
export { Inset } from './InsetVideo.tsx'
export { Middle } from './TileStatus.tsx'
export { StatePill } from './StatePill.tsx'
export { TileLine } from './TileSubtitle.tsx'
