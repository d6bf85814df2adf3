import Frames

/// The `ffmpeg` filter for a clip's frames: upright, square pixels, standard dynamic range, and chroma in the file's
/// resolution.
struct PictureFilter: Sendable {
    /// The format of the output frames.
    enum Output: Sendable, Hashable {
        /// 4:2:0 in video range.
        case quarterChroma
        /// 4:4:4 in video range: for files whose chroma is finer than 4:2:0.
        case fullChroma
        /// Green, blue and red as three planes, which the stream's header calls 4:4:4.
        case greenBlueRed
    }

    let output: Output
    /// The transfer function to undo; nil for standard dynamic range.
    let highDynamicRange: String?
    /// Size of every frame, once it is known: frames of another size are scaled to that of the first.
    var size: (width: Int, height: Int)?
    /// How the frames are stored; nil if the program sets them upright by itself.
    var orientation: ImageOrientation?
    /// Whether the program has the filters that undo the transfer function.
    var mapsTones = false

    /// - Parameters:
    ///   - pixelFormat: as `ffprobe` names it.
    ///   - transfer: as `ffprobe` names it.
    init(pixelFormat: String, transfer: String) {
        highDynamicRange = ["smpte2084", "arib-std-b67"].contains(transfer) ? transfer : nil
        let rgb = ["rgb", "bgr", "argb", "abgr", "0rgb", "0bgr", "gbr", "pal8", "bayer", "x2rgb", "x2bgr"]
        if rgb.contains(where: pixelFormat.hasPrefix) {
            output = .greenBlueRed
        } else if ["420", "nv12", "nv21", "p010", "p012", "p016", "gray", "mono", "ya8", "ya16"].contains(
            where: pixelFormat.contains)
            || pixelFormat.isEmpty
        {
            output = .quarterChroma
        } else {
            output = .fullChroma
        }
    }

    var planes: ClipFrame.Planes { output == .greenBlueRed ? .greenBlueRed : .lumaAndChroma }

    /// The argument of `-vf`.
    var argument: String {
        var steps = orientation?.steps ?? []
        if mapsTones {
            // To linear light of a display of 100 cd/m2, then to BT.709 (ITU-R BT.2408, BT.2446).
            steps += [
                "zscale=t=linear:npl=100", "format=gbrpf32le", "zscale=p=bt709", "tonemap=hable:desat=0",
                "zscale=t=bt709:m=bt709:r=tv", output == .quarterChroma ? "format=yuv420p" : "format=yuv444p",
            ]
        }
        // Square pixels: no side becomes shorter, or longer than the limit for frames.
        steps.append(
            "scale=w='min(16384,if(gt(sar,1),round(iw*sar),iw))':h='min(16384,if(lt(sar,1),round(ih/sar),ih))'")
        steps.append("setsar=1")
        if let size { steps.append("scale=\(size.width):\(size.height)") }
        switch output {
        // Any range is converted to video range, which the header then states.
        case .quarterChroma: steps += ["scale=out_range=tv", "format=yuv420p"]
        case .fullChroma: steps += ["scale=out_range=tv", "format=yuv444p"]
        case .greenBlueRed: steps += ["format=gbrp", "mergeplanes=0x000102:yuv444p"]
        }
        return steps.joined(separator: ",")
    }
}

extension ImageOrientation {
    /// The filters that set a stored frame upright.
    fileprivate var steps: [String] {
        switch self {
        case .up: []
        case .upMirrored: ["hflip"]
        case .down: ["hflip", "vflip"]
        case .downMirrored: ["vflip"]
        case .leftMirrored: ["transpose=cclock_flip"]
        case .right: ["transpose=clock"]
        case .rightMirrored: ["transpose=clock_flip"]
        case .left: ["transpose=cclock"]
        }
    }
}
