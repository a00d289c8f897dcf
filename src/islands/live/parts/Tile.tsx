import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import type { Device } from '../../../stores/home/devices.ts'
import { toggleAlone } from '../../../stores/live/live-layout.ts'
import { $tiles, getPicture, getTile, wantCamera } from '../../../stores/live/live-tiles.ts'
import { LazyTileControls, LazyInsetVideo, LazyTileStatus, LazyTileSubtitle } from './lazy-tile-parts.ts'
import { Pills } from './StatusPills.tsx'
import { stateWord } from './tile-labels.ts'

/** One camera. A button over the whole tile opens it. */
export function Tile({ camera }: { camera: Device }) {
  const { device_id, nickname } = camera
  const tile = getTile(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const isPlaying = tile.phase === 'playing'
  const box = useRef<HTMLLIElement>(null)
  usePicture(camera, box)
  return (
    <li
      ref={box}
      className="tile live-tile"
      data-phase={tile.phase}
      data-camera={device_id}
      aria-label={`${nickname}, ${stateWord(tile)}`}
    >
      <Suspense>{isPlaying && <LazyInsetVideo camera={camera} />}</Suspense>
      <button
        type="button"
        className="live-open"
        aria-label={`Open ${nickname}`}
        onClick={({ detail }) => detail < 2 && toggleAlone(device_id)}
      />
      <Pills tile={tile} />
      <Suspense>{!isPlaying && <LazyTileStatus camera={camera} tile={tile} />}</Suspense>
      <div className="tile-bottom live-bottom">
        <div className="live-caption">
          <h2 className="tile-name">{nickname}</h2>
          <Suspense>
            <LazyTileSubtitle camera={camera} tile={tile} />
          </Suspense>
        </div>
        <Suspense>
          <LazyTileControls deviceId={device_id} isPlaying={isPlaying} box={box} />
        </Suspense>
      </div>
    </li>
  )
}

/** Puts the camera's video into its tile. The video plays while the tile is in view or in picture-in-picture. */
export function usePicture({ device_id, nickname }: Device, tile: React.RefObject<HTMLLIElement | null>) {
  useLayoutEffect(() => {
    const { box, video } = getPicture(device_id)
    video.ariaLabel = `${nickname}, live picture`
    if (box.parentNode !== tile.current && !box.closest('.one-camera')) tile.current?.prepend(box)
  }, [device_id, nickname, tile])
  useEffect(() => {
    const { box, video } = getPicture(device_id)
    let isVisible = true
    const reportVisibility = () => wantCamera(device_id, isVisible || document.pictureInPictureElement === video)
    const observer = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? false
      reportVisibility()
    })
    reportVisibility()
    observer.observe(box)
    video.addEventListener('leavepictureinpicture', reportVisibility)
    return () => {
      observer.disconnect()
      video.removeEventListener('leavepictureinpicture', reportVisibility)
      wantCamera(device_id, false)
    }
  }, [device_id])
}
