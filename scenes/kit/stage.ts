import type { Camera } from './camera.ts'
import { H, W, rayAt } from './camera.ts'
import type { LightSetup } from './light.ts'
import { directions, infrared, irAt, lampsAt, skyColor, throughPortal, tone, vignette } from './light.ts'
import type { V3 } from './math.ts'
import { add, clamp, dot, mul, rng, unit } from './math.ts'
import type { Mesh } from './mesh.ts'
import { fill, projectAll, target, type Target } from './raster.ts'
import { soften } from './soften.ts'
import { cast, lit, shadowMap, type ShadowMap } from './shadow.ts'

/** The still picture of a place, ready for actors to walk in. */
export interface Stage {
  cam: Camera
  light: LightSetup
  /** RGBA pixels with the sun and without it. */
  sunny: Uint8ClampedArray
  shady: Uint8ClampedArray
  /** World point of each pixel (3 floats), 1e6 = sky. */
  pos: Float32Array
  nrm: Float32Array
  /** 1/depth at twice the size, for hiding actors behind things. */
  z2: Float32Array
  /** Wind weight, grey light and grey reflectance of each pixel. */
  sway: Float32Array
  grey: Float32Array
  albedo: Float32Array
  vig: Float32Array
  sunMap: ShadowMap | null
  /** Reach of the shadow maps. */
  centre: V3
  radius: number
}

/** Sums sky light (3 values a pixel) and sun share (1 value) over the drawn surfaces. */
function gather(
  m: Mesh,
  T: Target,
  P: Float32Array,
  L: LightSetup,
  centre: V3,
  radius: number,
): { sky: Float32Array; sun: Float32Array; map: ShadowMap | null } {
  const n = T.w * T.h,
    sky = new Float32Array(n * 3),
    sun = new Float32Array(n)
  const leafy = m.materials.map((x) => x.leaf === true)
  const dirs = directions(L.portals ? 150 : L.night ? 24 : 44),
    bias = radius / 160
  const light = (d: V3, map: ShadowMap, put: (i: number, k: number) => void, eps: number): void => {
    for (let i = 0; i < n; i++) {
      const id = T.id[i]!
      if (id < 0) continue
      const a = T.a[i]!,
        b = T.b[i]!,
        c = T.c[i]!,
        leaf = leafy[m.vmat[id]!]!
      let k = a * d[0] + b * d[1] + c * d[2]
      if (leaf) k = 0.35 + 0.65 * Math.abs(k) * (k > 0 ? 1 : 0.7)
      if (k <= 0) continue
      const x = P[i * 3]! + a * eps,
        y = P[i * 3 + 1]! + b * eps,
        z = P[i * 3 + 2]! + c * eps
      if (L.portals && map.n < 2000 && !L.outside?.(x, y) && throughPortal(L.portals, [x, y, z], d) === 0) continue
      k *= lit(map, x, y, z, eps)
      if (k > 0) put(i, k)
    }
  }
  if (L.portals) {
    const outs = L.portals.map((w) =>
      mul(
        unit([w.u[1] * w.v[2] - w.u[2] * w.v[1], w.u[2] * w.v[0] - w.u[0] * w.v[2], w.u[0] * w.v[1] - w.u[1] * w.v[0]]),
        -1,
      ),
    )
    dirs.splice(
      0,
      dirs.length,
      ...directions(360, true)
        .filter((d) => outs.some((o) => dot(d, o) > 0.08) && d[2] > -0.35)
        .map(unit),
    )
  }
  for (const d of dirs) {
    const map = shadowMap(L.night ? 700 : 1000, d, centre, radius),
      s = skyColor(L, d, false),
      f = L.portals ? 0.034 * L.portals[0]!.power : 2 / dirs.length
    cast(map, m)
    light(
      d,
      map,
      (i, k) => {
        sky[i * 3]! += s[0] * k * f
        sky[i * 3 + 1]! += s[1] * k * f
        sky[i * 3 + 2]! += s[2] * k * f
      },
      bias * 0.35,
    )
  }
  let map: ShadowMap | null = null
  if (L.sun) {
    const r = rng(5),
      taps = 6
    for (let t = 0; t < taps; t++) {
      const j: V3 = [r() - 0.5, r() - 0.5, r() - 0.5]
      map = shadowMap(2600, unit(add(L.sun.dir, mul(j, t === taps - 1 ? 0 : L.sun.soft))), centre, radius)
      cast(map, m)
      light(
        map.d,
        map,
        (i, k) => {
          sun[i]! += k / taps
        },
        bias * 0.3,
      )
    }
  }
  return { sky, sun, map }
}

/** World point of every drawn pixel of a target, 3 floats each. */
function points(cam: Camera, T: Target): Float32Array {
  const P = new Float32Array(T.w * T.h * 3)
  for (let y = 0, i = 0; y < T.h; y++) {
    for (let x = 0; x < T.w; x++, i++) {
      const r = rayAt(cam, (x + 0.5) / T.scale, (y + 0.5) / T.scale),
        z = T.z[i]!
      if (z <= 0) {
        P[i * 3] = 1e6
        P[i * 3 + 1] = r[1]
        P[i * 3 + 2] = r[2]
        continue
      }
      P[i * 3] = cam.eye[0] + r[0] / z
      P[i * 3 + 1] = cam.eye[1] + r[1] / z
      P[i * 3 + 2] = cam.eye[2] + r[2] / z
    }
  }
  return P
}

/** Paints the still things of a place under one light. */
export function bake(m: Mesh, cam: Camera, L: LightSetup, centre: V3, radius: number): Stage {
  const T = target(W * 2, H * 2, 2),
    scr = new Float32Array(m.nv * 3)
  projectAll(m, cam, 2, scr)
  fill(m, scr, m.nrm, T)
  const P = points(cam, T)
  faceViewer(m, T, P, cam)
  const g = gather(m, T, P, L, centre, radius),
    N = W * H
  const S: Stage = {
    cam,
    light: L,
    sunny: new Uint8ClampedArray(N * 4),
    shady: new Uint8ClampedArray(N * 4),
    pos: new Float32Array(N * 3),
    nrm: new Float32Array(N * 3),
    z2: T.z,
    sway: new Float32Array(N),
    grey: new Float32Array(N),
    albedo: new Float32Array(N),
    vig: new Float32Array(N),
    sunMap: g.map,
    centre,
    radius,
  }
  for (let y = 0, i = 0; y < H; y++) {
    for (let x = 0; x < W; x++, i++) {
      S.vig[i] = vignette((x / W) * 2 - 1, (y / H) * 2 - 1)
      develop(S, i, x, y, m, T, P, g)
    }
  }
  S.sunny = soften(S.sunny, 2.6, L.night ? 20 : 42)
  S.shady = L.sun ? soften(S.shady, 2.6, 42) : S.sunny
  return S
}

/** Turns normals of thin and back-facing surfaces to the viewer. */
function faceViewer(m: Mesh, T: Target, P: Float32Array, cam: Camera): void {
  for (let i = 0; i < T.id.length; i++) {
    if (T.id[i]! < 0) continue
    const l = Math.hypot(T.a[i]!, T.b[i]!, T.c[i]!) || 1
    const leaf = m.materials[m.vmat[T.id[i]!]!]!.leaf
    const d =
      (cam.eye[0] - P[i * 3]!) * T.a[i]! +
      (cam.eye[1] - P[i * 3 + 1]!) * T.b[i]! +
      (cam.eye[2] - P[i * 3 + 2]!) * T.c[i]!
    const s = (d < 0 && !leaf ? -1 : 1) / l
    T.a[i]! *= s
    T.b[i]! *= s
    T.c[i]! *= s
  }
}

/** Lights the four parts of one pixel and stores their mean. */
function develop(
  S: Stage,
  i: number,
  x: number,
  y: number,
  m: Mesh,
  T: Target,
  P: Float32Array,
  g: { sky: Float32Array; sun: Float32Array },
): void {
  const L = S.light,
    sum = [0, 0, 0, 0, 0, 0],
    ex = L.exposure * S.vig[i]!
  const sc = L.sun?.color ?? [0, 0, 0]
  for (let q = 0; q < 4; q++) {
    const o = (y * 2 + (q >> 1)) * T.w + x * 2 + (q & 1),
      id = T.id[o]!
    const p: V3 = [P[o * 3]!, P[o * 3 + 1]!, P[o * 3 + 2]!]
    let base: V3,
      sun: V3 = [0, 0, 0]
    if (id < 0) {
      base = skyColor(L, rayAt(S.cam, x + 0.5, y + 0.5), true)
    } else {
      const mat = m.materials[m.vmat[id]!]!,
        n: V3 = [T.a[o]!, T.b[o]!, T.c[o]!]
      let a = mat.texture ? mat.texture(p, n) : mat.color
      const up = 0.5 - 0.5 * n[2],
        gr = L.sky.ground,
        glow = (L.night ? mat.nightGlow : mat.glow) ?? 0
      if (L.night) {
        const k = infrared(mat, a[0], a[1], a[2])
        a = [k, k, k]
        S.albedo[i]! += k / 4
      }
      const extra = L.night ? irAt(L, S.cam, p, n, mat.leaf === true) : 0,
        lamp = lampsAt(L.lamps, p, n, mat.leaf === true) + extra
      base = [0, 1, 2].map(
        (c) =>
          a[c]! * (g.sky[o * 3 + c]! + L.ambient[c]! + gr[c]! * up * 0.8 + lamp) +
          glow * (L.night ? 0.5 : mat.color[c]!),
      ) as V3
      if (mat.gloss && !L.night) base = gloss(S, p, n, mat.gloss, base)
      sun = [a[0] * sc[0] * g.sun[o]!, a[1] * sc[1] * g.sun[o]!, a[2] * sc[2] * g.sun[o]!]
      if (L.haze) {
        const h = 1 - Math.exp(-1 / (T.z[o]! * L.haze.far))
        for (let c = 0; c < 3; c++) {
          base[c] = base[c]! * (1 - h) + L.haze.color[c]! * h
          sun[c]! *= 1 - h
        }
      }
      S.sway[i]! += (mat.sway ?? 0) / 4
    }
    for (let c = 0; c < 3; c++) {
      sum[c]! += tone(base[c]! * ex)
      sum[c + 3]! += tone((base[c]! + sun[c]!) * ex)
    }
    S.grey[i]! += (base[0] * ex) / 4
  }
  const o0 = y * 2 * T.w + x * 2
  for (let c = 0; c < 3; c++) {
    S.shady[i * 4 + c] = sum[c]! / 4
    S.sunny[i * 4 + c] = sum[c + 3]! / 4
    S.pos[i * 3 + c] = P[o0 * 3 + c]!
  }
  S.nrm[i * 3] = T.a[o0]!
  S.nrm[i * 3 + 1] = T.b[o0]!
  S.nrm[i * 3 + 2] = T.c[o0]!
  S.shady[i * 4 + 3] = 255
  S.sunny[i * 4 + 3] = 255
}

/** Adds the reflection of the sky on smooth surfaces such as panes. */
function gloss(S: Stage, p: V3, n: V3, k: number, base: V3): V3 {
  const v = unit([p[0] - S.cam.eye[0], p[1] - S.cam.eye[1], p[2] - S.cam.eye[2]]),
    d = dot(v, n)
  const r: V3 = [v[0] - 2 * d * n[0], v[1] - 2 * d * n[1], v[2] - 2 * d * n[2]]
  const f = clamp(k * (0.25 + 0.75 * (1 - Math.abs(d)) ** 3)),
    s = skyColor(S.light, r, true)
  return [base[0] * (1 - f) + s[0] * f, base[1] * (1 - f) + s[1] * f, base[2] * (1 - f) + s[2] * f]
}
