// Warnings about the volumes of a pod: kinds that no longer work, and files that would hide each
// other.

#include "base/gotext.h"
#include "engine/warning_list.h"

namespace portcullis::engine {
namespace {

struct OldVolume {
  std::string_view member;
  std::string_view advice;
};
constexpr OldVolume kOldVolumes[] = {
    {"photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"},
    {"gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"},
    {"scaleIO", "deprecated in v1.16, non-functional in v1.22+"},
    {"flocker", "deprecated in v1.22, non-functional in v1.25+"},
    {"storageos", "deprecated in v1.22, non-functional in v1.25+"},
    {"quobyte", "deprecated in v1.22, non-functional in v1.25+"},
    {"glusterfs", "deprecated in v1.25, non-functional in v1.26+"},
    {"ephemeral", ""},
    {"cephfs", "deprecated in v1.28, non-functional in v1.31+"},
    {"rbd", "deprecated in v1.28, non-functional in v1.31+"},
};

// A file that a volume makes, and which of its sources.
struct File {
  std::string path;
  std::string source;

  bool operator==(const File&) const = default;
  std::string ToString() const {
    return base::GoQuote(path) + (source.empty() ? "" : " (" + source + ")");
  }
};

bool Below(const std::string& path, const std::string& folder) {
  return (path + "/").starts_with(folder + "/");
}

// The files of one volume, compared with each other as they come.
class Files {
 public:
  Files(const Field& volume, std::string what, WarningList& out)
      : title_("volume " + base::GoQuote(volume.Text("name")) + " (" + std::move(what) + ")"),
        out_(out) {}

  void Add(std::string_view path, const std::string& source) {
    while (path.ends_with('/')) path.remove_suffix(1);
    File file{std::string(path), source};
    for (const File& other : files_) {
      if (file.path.empty() || other.path.empty()) continue;
      if (Below(other.path, file.path) || Below(file.path, other.path)) {
        out_.Add(title_ + ": overlapping paths: " + file.ToString() + " with " + other.ToString());
      }
    }
    files_.push_back(std::move(file));
  }
  void AddItems(const Field& holder, const std::string& source) {
    for (const Field& item : holder.At("items").Items()) Add(item.Text("path"), source);
  }

 private:
  std::string title_;
  WarningList& out_;
  std::vector<File> files_;
};

std::string Named(std::string_view kind, std::string_view name) {
  return std::string(kind) + " " + base::GoQuote(name);
}

void ProjectedSource(const Field& source, Files& files) {
  const Field config_map = source.At("configMap");
  const Field secret = source.At("secret");
  const Field downward = source.At("downwardAPI");
  if (config_map.At("items").present()) {
    files.AddItems(config_map, Named("ConfigMap", config_map.Text("name")));
  } else if (secret.At("items").present()) {
    files.AddItems(secret, Named("Secret", secret.Text("name")));
  } else if (downward.At("items").present()) {
    files.AddItems(downward, "DownwardAPI");
  } else if (const Field token = source.At("serviceAccountToken"); token.present()) {
    files.Add(token.Text("path"), "ServiceAccountToken");
  } else if (const Field bundle = source.At("clusterTrustBundle"); bundle.present()) {
    const std::string_view name =
        bundle.At("name").present() ? bundle.Text("name") : bundle.Text("signerName");
    files.Add(bundle.Text("path"), Named("ClusterTrustBundle", name));
  } else if (const Field certificate = source.At("podCertificate"); certificate.present()) {
    constexpr std::pair<std::string_view, std::string_view> kParts[] = {
        {"certificateChainPath", "PodCertificate chain"},
        {"keyPath", "PodCertificate key"},
        {"credentialBundlePath", "PodCertificate credential bundle"}};
    for (const auto& [member, what] : kParts) {
      const std::string_view path = certificate.Text(member);
      if (!path.empty()) files.Add(path, std::string(what));
    }
  }
}

void Overlaps(const Field& volume, WarningList& out) {
  if (const Field map = volume.At("configMap"); map.present()) {
    Files(volume, Named("ConfigMap", map.Text("name")), out).AddItems(map, "");
  }
  if (const Field secret = volume.At("secret"); secret.present()) {
    Files(volume, Named("Secret", secret.Text("secretName")), out).AddItems(secret, "");
  }
  if (const Field downward = volume.At("downwardAPI"); downward.present()) {
    Files(volume, "DownwardAPI", out).AddItems(downward, "");
  }
  Files files(volume, "Projected", out);
  for (const Field& source : volume.At("projected").At("sources").Items()) {
    if (source.Entries().empty()) {
      out.Add("volume " + base::GoQuote(volume.Text("name")) +
              " (Projected) has no sources provided");
    } else {
      ProjectedSource(source, files);
    }
  }
}

}  // namespace

void WarnAboutVolumes(const Field& spec, WarningList& out) {
  const std::vector<Field> volumes = spec.At("volumes").Items();
  for (const Field& volume : volumes) {
    for (const OldVolume& old : kOldVolumes) {
      const Field member = volume.At(old.member);
      if (!member.present()) continue;
      if (old.member == "ephemeral") {
        const Field claim = member.At("volumeClaimTemplate").At("spec").At("resources");
        out.Fraction(claim.At("requests").Key("storage"));
        out.Fraction(claim.At("limits").Key("storage"));
      } else if (old.member == "storageos") {
        out.Add(volume.At("storageOS").path(), old.advice);
      } else {
        out.Add(member.path(), old.advice);
      }
    }
  }
  for (const Field& volume : volumes) Overlaps(volume, out);
}

}  // namespace portcullis::engine
