/** Chunk boundary: parts of a tile that load after the first frames. */
export { InsetVideo } from './InsetVideo.tsx'
export { StatePill } from './StatePill.tsx'
export { TileControls } from './TileControls.tsx'
export { TileFigures } from './TileFigures.tsx'
export { TileStatus } from './TileStatus.tsx'
export { TileSubtitle } from './TileSubtitle.tsx'
