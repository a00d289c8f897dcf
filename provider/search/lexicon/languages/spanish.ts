/** Spanish words for the English lexicon, found with and without accents. `*` stands for any ending. */
export const SPANISH = `
old lady: anciana, ancianas, abuela, abuelas, abuelita*, senora mayor, mujer mayor, viejita, mujer vieja
man: anciano, ancianos, abuelo, abuelos, abuelito, senor mayor, hombre mayor, hombre viejo, viejito, papa, padre, marido, esposo
nobody: nadie, ninguna persona, sin nadie
person: persona, personas, alguien, gente, humano*, adulto*, individuo*, figura, persona mayor, personas mayores
who: quien, quienes
man: hombre, hombres, senor, senores, tipo, tipos, chico, chicos, tio, tios, caballero*, varon
woman: mujer, mujeres, senora, senoras, senorita*, chica, chicas, dama, mama, madre, esposa, tia
son: hijo, hijos
daughter: hija, hijas
girl: nina, ninas, muchacha*
boy: nino pequeno, muchacho*
child: nino, ninos, bebe, bebes, crio, cria, crios, chiquill*, peque, peques, chaval*, adolescente*, jovenes, nene, nena, nenes, menor, menores, escolar, escolares, nieto*, nieta*
visitor: visita, visitas, visitante*, invitad*, huesped*
stranger: extrano, extrana, extranos, extranas, desconocid*, intrus*, ladron*, sospechos*, merodea*, ratero*, asaltante*, delincuente*, allana*
neighbour: vecino, vecina, vecinos, vecinas
courier: repartidor*, mensajer*, carter*, entrega, entregas, entregan, entregando, entregar, entrego, entregaron, entregado*, reparto, repartiendo, reparte, correo, correos, paqueteria, domiciliario, delivery, dhl, amazon
driver: conductor*, chofer*, automovilista*
jogger: corredor*, jogging, footing, haciendo deporte
pedestrian: peaton*, transeunte*
cyclist: ciclista*
handyman: manitas, obrero*, albanil*, mecanico*, carpintero*, tecnico*, operario*
gardener: jardinero*, jardinera
plumber: fontanero*, plomero*
electrician: electricista*
cleaner: limpiador*, senora de la limpieza, limpiacristales
salesman: vendedor*, comercial
police: policia*, patrulla, guardia
couple: pareja*
group: grupo*, pandilla, banda, multitud
face: cara, caras, rostro*
two: dos, ambos, ambas
three: tres
four: cuatro
five: cinco
six: seis
several: varios, varias
pet: mascota*, animal domestico, animales domesticos
animal: animal, animales, bicho*, fauna, animal salvaje, animales salvajes
puppy: cachorro*, cachorrito*
dog: perro, perra, perros, perras, perrito*, perrita*, can, chucho*
kitten: gatito*, gatita*
cat: gato, gata, gatos, gatas, minino*, felino*
fox: zorro, zorra, zorros, zorras
bird: pajaro*, pajarito*, ave, aves, paloma*, cuervo*, urraca*, gorrion*, gaviota*, mirlo*
owl: buho*, lechuza*
squirrel: ardilla*
raccoon: mapache*
deer: ciervo*, venado*, corzo*
hedgehog: erizo*
badger: tejon*
rabbit: conejo*, liebre*
rat: rata, ratas
mouse: raton, ratones
horse: caballo*
hen: gallina*
duck: pato, patos
boar: jabali*
parcel: paquete*, caja, cajas, bulto, bultos, encomienda*
mailbox: buzon*
letter: carta, cartas
shopping: compra, compras, la compra, bolsas de la compra, bolsa de la compra, comestibles, viveres, bolsas del super, haciendo la compra
bag: bolsa, bolsas, bolso*, mochila*
car: coche, coches, carro, carros, auto, autos, automovil*
vehicle: vehiculo*, trafico
van: furgoneta*, camioneta*, furgon, furgones
garbage truck: camion de la basura, camion de basura
truck: camion, camiones
ambulance: ambulancia*
bus: autobus*, bus
taxi: taxi, taxis
motorbike: moto, motos, motocicleta*, motorista*
scooter: patinete*, monopatin
tractor: tractor*
headlights: faro, faros, luces del coche, luces del carro, luces, luces encendidas
bike: bicicleta*, bici, bicis
sledge: trineo*
snowman: muneco de nieve
torch: linterna*
street lamp: farola*, poste de luz
ball: pelota*, balon, balones
toy: juguete*
glass breaking: vidrio roto, vidrios rotos, cristal roto, vaso roto, se rompe un vaso, se rompe un cristal, rotura de cristal, rotura de cristales, rompe un vaso, rompe un cristal, cristales rotos, romper un vaso, rompiendo un vaso, rompe una ventana
glasses: gafas, lentes, anteojos
glass: vaso, vasos, vidrio*, cristal*
alarm: alarma*, sirena*, detector de humo
noise: ruido*, sonido*
shot: disparo*
knock over: vuelca, volcar, volcando, volco, derriba*, tumba, tumbando, tira al suelo, tiro al suelo
break: rompe, rompen, rompio, rompieron, roto, rota, rotos, rotas, romper, rompiendo, quiebra
mug: taza*, cafe, te, jarra
drink: bebida*
sofa: sofa, sofas, sillon*
bench: banco, bancos
wheelchair: silla de ruedas
chair: silla*
cushion: cojin*
rug: alfombra*
window sill: alfeizar*, repisa*, poyete
window: ventana*
vacuum: robot aspirador, robot aspiradora, aspirador*, robot, robots
workbench: banco de trabajo, mesa de trabajo
tools: herramienta*
halloween: halloween, calabaza*, disfraz*, disfrac*, truco o trato, farol*, farolillo*
mat: felpudo*, alfombrilla*
steps: escalon*, escalera*, peldano*, escalinata
pavement: acera*, banqueta*, vereda
path: sendero, camino
fence: valla*, cerca de madera, la cerca, verja, tapia
hedge: seto*
kennel: caseta*
bowl: cuenco, comedero, plato
watering can: regadera*
flower: flor, flores
plants: planta, plantas
tree: arbol, arboles, cerezo
vegetable: verdura*, hortaliza*, huerto*, huerta*
flower bed: bancal*, parterre*, jardinera de flores
book: libro*
bookcase: libreria*, estanteria*, librero
snow: nieve, nevad*, nieva, nevando
rain: lluvia*, llueve, lloviendo
fog: niebla
moon: luna
table: mesa, mesas
floor: suelo, piso
wall: pared*, muro
phone: telefono*, movil, celular
umbrella: paraguas
pushchair: carrito de bebe, cochecito*
ladder: escalera de mano
knife: cuchillo*
boat: barco*
bin: cubo de basura, contenedor*, basura
garage door: puerta del garaje, puerta de garaje, puerta de la cochera, porton
gate: puerta del jardin, cancela, reja
dark top: capucha*, sudadera*, encapuchad*, ropa oscura, ropa negra, chaqueta oscura, chaqueta negra, abrigo oscuro, vestido de negro, vestido de oscuro
jacket: chaqueta*, cazadora*, chamarra*
coat: abrigo*
jumper: jersey*, sueter*
shirt: camisa*, camiseta*
trousers: pantalon*
jeans: vaqueros, jeans
dress: vestido
cap: gorra*, gorro*
hat: sombrero*
helmet: casco*
shoes: zapato*, zapatilla*, botas
beard: barba, barbud*
hair: pelo, cabello
paws: patas
tail: cola, rabo
lead: correa*
bark: ladra, ladran, ladrando, ladrar, ladrido*, ladro, ladraba, ladraron, grune, aulla*
meow: maulla, maullan, maullando, maullar, maullido*, maullo
crying: llora, lloran, llorando, llorar, llanto, grita, gritando
talk: habla, hablan, hablando, hablar, hablo, hablaron, hablaba*, conversa*, charla*, voz, voces
ring: timbre*, llama a la puerta, llamar a la puerta, llamando a la puerta, toca el timbre, tocan el timbre, tocando el timbre, tocar el timbre, toco el timbre, tocaron el timbre, llamando al timbre, llama al timbre, llamo al timbre, llamaron al timbre
knock: golpea*, toca la puerta, tocando la puerta, toco la puerta
comes home: llega a casa, llegan a casa, llegando a casa, llegar a casa, llego a casa, llegaron a casa, vuelve a casa, vuelven a casa, volver a casa, volvio a casa, volviendo a casa, regresa a casa, regresa, regresan, regresando, regresar, regreso, regresaron, vuelve, vuelven, volviendo, volver, volvio, vuelta a casa
arrive: llega, llegan, llegando, llego, llegaron, llegada*, llegar, llegado, llegaba*
enter inside: entra en casa, entra en la casa, entran en casa, entran en la casa, entro en casa, entrar en casa, entra a la casa, entrando en casa
enter: entra, entran, entrando, entrar, entro, entraron, entrado, entraba*, ingresa*
leave: sale, salen, saliendo, salir, salio, salieron, salido, salia, salida, se va, se van, se fue, se fueron, irse, yendose, marchandose, se marcha*, se marcho, deja, dejan, dejando, dejo, dejaron, dejar, dejado*, abandona*, parte, partiendo
reverses: marcha atras, retrocede*
park: aparca*, aparco, estaciona*, estaciono, parquea*, parking
stop: para el coche, se para, se detiene, se detienen, detenid*, detenerse, parado, parada
driving: conduce, conducen, conduciendo, conducir, maneja*, manejo, circula, circulan, circulando
turns: da la vuelta, dar la vuelta, dando la vuelta, gira, giran, girando, girar, dobla
pass: pasa, pasan, pasando, paso, pasaron, pasar, pasado, pasaba*, adelanta*, cruzandose, se cruzan
run: corre, corren, corriendo, correr, corrio, corrieron, corria*
walk: camina*, caminando, camino por, anda, andan, andando, andar, pasea*, paseo*, a pie, caminata
ride: monta, montan, montando, montar, montado, monta en, pedalea*
cross: cruza, cruzan, cruzando, cruzar, cruzo, cruzaron, atraviesa*, atravesando
trot: trota*
chase: persigue*, persiguiendo, perseguir, persiguio, caza, cazando, perseguid*, corre detras, corre tras, corriendo detras, corriendo tras
follow: sigue, siguen, siguiendo, seguir, siguio, seguido
play: juega, juegan, jugando, jugar, jugo, jugaron, jugaba*, juego, juegos, jugueton*, jugueteando
fetch: trae la pelota, trayendo la pelota, trae el palo
jump: salta*, salto, brinca*, saltando
climb: trepa*, escala, escalan, escalando, escalar, se sube, subirse, subido, subida, sube a, subio a, subiendose
wave: saluda*, saludo*
look around: mira alrededor, mirando alrededor, mirar alrededor, mira a su alrededor, husmea*, curiosea*, inspecciona*, olfatea*, fisgone*, explora*, registra*, rebusca*, olisquea*
look: mira, miran, mirando, mirar, miro, miraba*, observa*, asoma*
wait: espera, esperan, esperando, esperar, espero, de pie, parado en, parada en
hunt: acecha*
water: riega, riegan, regando, regar, rego, regaron, regado, regaba*, riego
drink: tomando cafe, toma cafe, bebe, bebe agua, bebiendo, beben, beber, bebio, bebia, toma agua, tomando agua, tomar agua
eat: come, comen, comiendo, comer, comio
sleep: duerme*, durmiendo, dormir, dormid*, durmio, siesta*, descansa*, tumbad*, acostad*, echado, echada, dormitando
sit: encaramad*, sentad*, sienta, sientan, sentarse, sentandose, se sienta, se sento
hammer: martill*, clavando, clavo
repair: repara*, arregla*, bricolaje, construye*, construyendo
stroke: acaricia*, mimos, mima
carry: lleva, llevan, llevando, llevar, llevaba*, carga, cargan, cargando, cargar, sostiene, sosteniendo
bring: trae, traen, trayendo, traer, trajo, trajeron
take in: recoge*, recogiendo, recogi, recogio, coge el paquete, cogiendo el paquete, cogio el paquete, recibe*, recibiendo, recibio, mete el paquete, toma el paquete
take: coge, cogen, cogiendo, coger, cogio, tomo, agarra*, se lleva, se llevo, se llevaron, llevarse, llevandose
steal: roba, roban, robando, robar, robo, robos, robaron, robado, hurto
open: abre, abren, abriendo, abrir, abrio, abrieron, abiert*, se abre
close: cierra, cierran, cerrando, cerrar, cerro, cerrad*, se cierra
unload: descarga*, descargo
pull: tira de, tiran de, tirando de, tirar de, tirando, arrastra*, jala*
push: empuja*
throw: lanza*, tira la pelota, arroja*
sweep: barre, barren, barriendo, barrer
digs: cava, cavando, excava*
mows: corta el cesped, cortando el cesped, cortacesped
gardening: jardineria
meet: se encuentra*, encontrandose
falls: cae, caen, cayendo, caer, cayo, se cae
light: luz, ilumina*
hides: escondid*, esconde*
reads: lee, leen, leyendo, leer, leyo
clean: limpia, limpian, limpiando, limpiar, lava, lavando
blossom: en flor, florecid*
striped: rayas, a rayas
long: largo, larga, largos, largas
tied: atado, atada
night: noche*, nocturn*, de noche, por la noche, oscuridad, a oscuras, en la oscuridad, infrarrojo*
dusk: atardecer*, anochecer*, crepusculo, al anochecer, al atardecer, puesta de sol
day: dia, de dia, por el dia, durante el dia, a plena luz, luz del dia, pleno dia
dark: oscuro, oscura, oscuros, oscuras
pale: claro, clara, claros, claras, palid*
red: rojo, roja, rojos, rojas
blue: azul*, celeste
green: verde, verdes
white: blanco, blanca, blancos, blancas
black: negro, negra, negros, negras
grey: gris*
brown: marron*, cafe oscuro, castano*
beige: beige
orange: naranja*, anaranjad*
ginger: pelirroj*
pink: rosa, rosado*, rosada*
purple: morad*, violeta
silver: plata, plateado*, plateada*
gold: dorad*, rubi*
neon yellow: amarillo fluorescente, fluorescente, chaleco reflectante
yellow: amarill*
driveway: camino de entrada, entrada de coches, entrada de autos, entrada del garaje, entrada de carros, entrada para coches
front door: puerta principal, puerta, puertas, entrada, porche, puerta de entrada, puerta de casa, puerta de la casa, en la puerta, puerta de mi casa, umbral
back of the house: detras de la casa, detras de casa, parte trasera
front of the house: delante de la casa, delante de casa, frente a la casa, enfrente de la casa
garden: jardin, jardines, jardin trasero
backyard: patio trasero, patio
lawn: cesped, pasto, hierba
terrace: terraza*
balcony: balcon*
street: calle, calles, carretera*, calzada
living room: salon, salones, sala, sala de estar, cuarto de estar, comedor
kitchen: cocina
bedroom: dormitorio*, habitacion*, recamara
hallway: pasillo*, vestibulo, recibidor
bathroom: bano
nursery: cuarto del bebe, habitacion del bebe
basement: sotano
attic: desvan, atico
office: oficina, despacho
shed: cobertizo
pool: piscina*, alberca
roof: tejado, techo
workshop: taller
garage: garaje*, cochera*, garage
upstairs: arriba, piso de arriba, planta alta
downstairs: abajo, piso de abajo, planta baja
inside: dentro, adentro, interior, dentro de casa, dentro de la casa, en casa, en la casa, en el interior
outside: alrededor de la casa, alrededor de casa, fuera, afuera, exterior, al aire libre, fuera de casa, fuera de la casa
without: sin, excepto, salvo, menos
not: no, pero no, ni, ningun, ninguna, ninguno, nunca, jamas, tampoco
or: o, u, o bien
: o no, ropa, vestid*, a casa, de casa, esta manana, hay alguna, hay algun
: el, la, los, las, un, una, unos, unas, y, e, con, en, de, del, al, a, por, para, que, desde, hasta, sobre, bajo, entre, hacia, contra, tras, ante, durante, segun, cerca, lejos, junto, lado, al lado, delante, detras, frente, enfrente, alrededor, encima, debajo, atraves, traves, medio, cuando, donde, como, cual, cuales, cuanto, cuantos, cuantas, porque, si, pero, mientras, luego, despues, antes, entonces
: se, su, sus, mi, mis, tu, tus, me, te, nos, le, les, lo, yo, ella, ellos, ellas, nosotros, nuestro, nuestra, nuestros, nuestras, ese, esa, esos, esas, este, estos, estas, aquel, aquella, eso, esto, alguno, alguna, algunos, algunas, algun, otro, otra, otros, otras, todo, toda, todos, todas, cada, algo, mismo, misma, cosa, cosas
: es, son, esta, estan, estaba, estaban, estuvo, estar, estando, ser, siendo, sea, fue, fueron, era, eran, hay, habia, hubo, ha, han, he, hemos, haber, habido, va, van, voy, ir, iba, iban, yendo, vino, viene, vienen, vinieron, venir, viniendo, venia, hace, hacen, haciendo, hacer, hizo, hecho, ve, ven, ver, vio, vi, visto, viendo, veo, ves, oye, oigo, oir, escucha, escuchar, tiene, tienen, puede, puedes, quiero, queria, muestra, muestrame, mostrar, ensena*, busca, buscan, buscar, buscame, encuentra, encontrar, dame, aparece, aparecen, aparecio, pone, ponen, poniendo, puso, sucede, sucedio, ocurrio, ocurre, acerca, acercan, acercando, acercandose, acerco, sube, suben, subiendo, subio, baja, bajan, bajando, empieza, intenta, intento, intentan, intentaron, intentando, trata, mete, metio, meten, metiendo, lo alto, en lo alto, encendid*, prendid*, favor
: video, videos, clip, clips, camara, camaras, grabacion, grabaciones, imagen, imagenes, foto, fotos, escena, momento*, muy, mas, ya, aqui, ahi, alli, alla, aun, todavia, tambien, solo, sola, solos, juntos, juntas, siempre, vez, veces, ahora, recien, bien, gran, grande*, pequeno, pequena, pequenos, pequenas, viejo, vieja, viejos, joven, nuevo, nueva, bonito, bonita, rapido, rapida, rapidamente, despacio, ultimo, ultima, primer, primero, primera, tarde, manana, casa, casas
`
