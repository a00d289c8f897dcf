import ChevronRight from 'lucide-react/icons/chevron-right'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useId } from 'react'
import { CAMERA_BRANDS, findCameraBrand } from '../../../../contract/cameras/camera-brands.ts'

interface BrandProps {
  brand: string
  setBrand: (brand: string) => void
}

/** Optional brand of the camera: fills in paths, port and instructions. */
export function BrandSelect({ brand, setBrand }: BrandProps) {
  const id = useId()
  return (
    <div className="add-brand">
      <label htmlFor={id}>Brand</label>
      <div className="input">
        <select id={id} value={brand} onChange={({ target }) => setBrand(target.value)}>
          <option value="">Other</option>
          {CAMERA_BRANDS.map((option) => (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

/** Short instructions below the select, for phones and dialogs, which have no room for the guide. */
export function BrandHint({ brand: id }: { brand: string }) {
  const brand = findCameraBrand(id)
  if (!brand) return null
  return (
    <div className="add-brand-hint">
      <b>Turn on RTSP first</b>
      <MenuPath items={brand.menu} />
      {brand.warning !== '' && <BrandWarning text={brand.warning} />}
    </div>
  )
}

export function MenuPath({ items }: { items: readonly string[] }) {
  return (
    <p className="add-menu-path">
      {items.map((item, i) => (
        <span key={item}>
          {i > 0 && <ChevronRight size={14} aria-hidden="true" />}
          {i > 0 && <span className="sr-only">, then </span>}
          {item}
        </span>
      ))}
    </p>
  )
}

export function BrandWarning({ text }: { text: string }) {
  return (
    <p className="add-brand-warning">
      <TriangleAlert size={16} aria-hidden="true" />
      {text}
    </p>
  )
}
