import { useStore } from '@nanostores/react'
import { Suspense, useEffect, useRef } from 'react'
import type { Device } from '../../../stores/devices.ts'
import { toggleAlone } from '../../../stores/live-layout.ts'
import { $tiles, attachVideo, tileOf, wantCamera } from '../../../stores/live-tiles.ts'
import { Controls, Middle, TileLine } from './lazy.ts'
import { Pills } from './Pills.tsx'
import { Picture } from './Picture.tsx'
import { stateWord } from './words.ts'

/** One camera. Its whole surface is a button that shows it alone: Enter or a double click. */
export function Tile({ camera, isLarge }: { camera: Device; isLarge: boolean }) {
  const { device_id, nickname } = camera
  const tile = tileOf(useStore($tiles, { keys: [device_id], deps: [device_id] }), device_id)
  const isPlaying = tile.phase === 'playing'
  const box = useRef<HTMLLIElement>(null)
  const video = useRef<HTMLVideoElement>(null)
  const still = useRef<HTMLCanvasElement>(null)
  useWatched(device_id, box, video, still)
  return (
    <li
      ref={box}
      className="tile live-tile"
      data-large={isLarge}
      data-phase={tile.phase}
      data-camera={device_id}
      aria-label={`${nickname}, ${stateWord(tile)}`}
    >
      <Picture deviceId={device_id} nickname={nickname} phase={tile.phase} video={video} still={still} />
      <button
        type="button"
        className="live-open"
        aria-label={`${nickname}: show alone or with all others`}
        onClick={({ detail }) => detail === 0 && toggleAlone(device_id)}
        onDoubleClick={() => toggleAlone(device_id)}
      />
      <Pills tile={tile} />
      <Suspense>{!isPlaying && <Middle camera={camera} tile={tile} />}</Suspense>
      <div className="tile-bottom live-bottom">
        <div className="live-caption">
          <h2 className="tile-name">{nickname}</h2>
          <Suspense>
            <TileLine camera={camera} tile={tile} />
          </Suspense>
        </div>
        <Suspense>
          <Controls deviceId={device_id} isPlaying={isPlaying} box={box} video={video} />
        </Suspense>
      </div>
    </li>
  )
}

/** The camera plays while its tile is on the screen, or its picture floats above other windows. */
function useWatched(
  deviceId: string,
  box: React.RefObject<HTMLLIElement | null>,
  video: React.RefObject<HTMLVideoElement | null>,
  still: React.RefObject<HTMLCanvasElement | null>,
) {
  useEffect(() => {
    const element = video.current
    if (!box.current || !element) return
    let isVisible = true
    const tell = () => wantCamera(deviceId, isVisible || document.pictureInPictureElement === element)
    const observer = new IntersectionObserver(([entry]) => {
      isVisible = entry?.isIntersecting ?? false
      tell()
    })
    attachVideo(deviceId, element, still.current)
    tell()
    observer.observe(box.current)
    element.addEventListener('leavepictureinpicture', tell)
    return () => {
      observer.disconnect()
      element.removeEventListener('leavepictureinpicture', tell)
      attachVideo(deviceId, null)
      wantCamera(deviceId, false)
    }
  }, [deviceId, box, video, still])
}
