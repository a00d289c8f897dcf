import type { Device } from '../../../stores/home/devices.ts'

export function CameraThumbnail({ device: { device_id, thumbnail_url } }: { device: Device }) {
  return thumbnail_url === '' ? (
    <span className="cover-picture" />
  ) : (
    <img
      className="cover-picture"
      src={`/m/last/${device_id}`}
      width="96"
      height="54"
      alt=""
      loading="lazy"
      decoding="async"
    />
  )
}
