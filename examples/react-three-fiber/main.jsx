/**
 * react-three-fiber: the mesh is baked from a group once it is mounted, debug geometry is a primitive, and agents move meshes in useFrame.
 */
import { Canvas, useFrame } from '@react-three/fiber';
import { useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { createRandom, findRandomPoint } from 'navkiln';
import { buildNavMesh } from 'navkiln/build';
import { addAgent, advanceCrowd, createCrowd, interpolateAgentInto, listEvents, moveAgentTo } from 'navkiln/crowd';
import { navMeshOutlines, navMeshTriangles } from 'navkiln/debug';
import { createAgentObject, drawLines, drawMesh, levelFromObject3D, placeAgentObject } from 'navkiln/three';

const BOXES = [
  [
    [24, 1, 24],
    [0, -0.5, 0],
  ],
  [
    [8, 2, 8],
    [7, 1, -7],
  ],
  [
    [1, 2, 11],
    [-4, 1, 2],
  ],
  [
    [9, 2, 1],
    [3, 1, 5],
  ],
  ...[1, 2, 3, 4, 5].map((k) => [
    [0.5, 0.4 * k, 3],
    [0.25 + 0.5 * k, 0.2 * k, -7],
  ]),
];

/** The level. Passes its mesh on once its objects exist. */
function Level({ onBaked }) {
  const group = useRef(null);
  useLayoutEffect(() => {
    const level = levelFromObject3D(group.current);
    onBaked(buildNavMesh(level, { agent: { radius: 0.35, height: 1.8, maxClimb: 0.45 } }).navMesh);
  }, [onBaked]);
  return (
    <group ref={group}>
      {BOXES.map(([size, position]) => (
        <mesh key={position.join()} position={position}>
          <boxGeometry args={size} />
          <meshLambertMaterial color="#d9d4c8" />
        </mesh>
      ))}
    </group>
  );
}

/** Draws a mesh over the level. */
function NavMeshView({ navMesh }) {
  const surface = useMemo(() => drawMesh(navMeshTriangles(navMesh), { opacity: 0.6 }), [navMesh]);
  const outlines = useMemo(() => drawLines(navMeshOutlines(navMesh)), [navMesh]);
  return (
    <>
      <primitive object={surface} />
      <primitive object={outlines} />
    </>
  );
}

/** Agents that walk between random goals. */
function Crowd({ navMesh, count }) {
  const meshes = useRef([]);
  const state = useRef(null);
  useLayoutEffect(() => {
    const crowd = createCrowd(navMesh, { maxAgents: count });
    const random = createRandom(7);
    const somewhere = () => findRandomPoint(navMesh, random).point;
    const bound = meshes.current.map((object) => {
      const id = addAgent(crowd, somewhere(), { radius: 0.35, maxSpeed: 2.5 });
      moveAgentTo(crowd, id, somewhere());
      return createAgentObject((out, alpha) => interpolateAgentInto(out, crowd, id, alpha), { object });
    });
    state.current = { crowd, bound, somewhere };
  }, [navMesh, count]);
  useFrame((_, seconds) => {
    const { crowd, bound, somewhere } = state.current;
    const alpha = advanceCrowd(crowd, seconds);
    for (const { kind, agent } of listEvents(crowd)) if (kind === 'arrived') moveAgentTo(crowd, agent, somewhere());
    for (const agent of bound) placeAgentObject(agent, alpha);
  });
  return Array.from({ length: count }, (_, i) => (
    <group key={i} ref={(object) => object && (meshes.current[i] = object)}>
      <mesh position={[0, 0.8, 0]}>
        <capsuleGeometry args={[0.3, 1]} />
        <meshLambertMaterial color={['#d55e00', '#0072b2', '#cc79a7'][i % 3]} />
      </mesh>
    </group>
  ));
}

function App() {
  const [navMesh, setNavMesh] = useState(null);
  useLayoutEffect(() => {
    if (navMesh !== null) document.querySelector('#status').textContent = `${navMesh.polyCount} polygons, 30 agents.`;
  }, [navMesh]);
  return (
    <Canvas camera={{ position: [-10, 17, 22], fov: 45 }} flat>
      <color attach="background" args={['#f4f1ea']} />
      <hemisphereLight args={['#ffffff', '#8a93a0', 2.2]} />
      <directionalLight position={[4, 10, 6]} intensity={1.5} />
      <Level onBaked={setNavMesh} />
      {navMesh !== null && <NavMeshView navMesh={navMesh} />}
      {navMesh !== null && <Crowd navMesh={navMesh} count={30} />}
    </Canvas>
  );
}

createRoot(document.querySelector('#root')).render(<App />);
