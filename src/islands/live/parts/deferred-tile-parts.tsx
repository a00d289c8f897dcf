/** Parts of a tile that load after the first frames, in one chunk with `deferred-parts.tsx`. */
export { TileControls as Controls } from './TileControls.tsx'
export { InsetVideo as Inset } from './InsetVideo.tsx'
export { TileStatus as Middle } from './TileStatus.tsx'
export { StatePill } from './StatePill.tsx'
export { TileSubtitle as TileLine } from './TileSubtitle.tsx'
