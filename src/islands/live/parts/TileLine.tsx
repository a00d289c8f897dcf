import type { Tile } from '../../../media/tile-machine.ts'

/** The second line under the name. */
export function TileLine({ tile }: { tile: Tile }) {
  return tile.phase === 'stalled' ? <p className="tile-line">The picture has stopped. Connecting again.</p> : null
}
